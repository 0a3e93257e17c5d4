/** What is told of a command that failed to put a record into the zone. */

import { expect, test } from "bun:test";
import { dnsSolver, withoutKeysOf } from "./solvers.ts";

const KEY = "k3y-of-the-zone";
const challenge = { name: "shop.example", token: "t", answer: "a", record: "r" };

function solver(command: string) {
  const logged: string[] = [];
  const log = { warn: (text: string, fields?: object) => void logged.push(text, fieldsOf(fields)) };
  return { logged, one: dnsSolver({ command, waitMs: 0, pause: () => Promise.resolve(), log }) };
}
const fieldsOf = (fields: object | undefined) => JSON.stringify(fields ?? {});

test("a command that fails is named, and what it wrote goes to the log without its key", async () => {
  // As a shell does that is told to trace, and as one does that finds no such program.
  for (const command of [`set -x; KEY=${KEY}; false "$KEY"`, `exec ${KEY} "$1"`]) {
    const { one, logged } = solver(command);
    const error = await one.present(challenge).catch((fault: unknown) => String(fault));
    expect(error).toMatch(
      /acme\.dnsCommand add _acme-challenge\.shop\.example ended with \d+; the log has what it wrote$/,
    );
    expect(logged.join()).toContain("[secret]");
    expect(logged.join()).not.toContain(KEY);
  }
});

test.each([
  [`curl -H "Authorization: Bearer ${KEY}" https://dns.example/v1`, `bad ${KEY}`, "bad [secret]"],
  [`curl https://${KEY}@dns.example:8443/v1`, `${KEY} at dns.example`, "[secret] at dns.example"],
  [`curl https://${KEY}:@dns.example/v1`, `for ${KEY}`, "for [secret]"],
  [`curl "https://dns.example/?key=${KEY}&b=1"`, `no ${KEY}`, "no [secret]"],
  [`hook --key=${KEY}`, `no ${KEY}`, "no [secret]"],
  ['/etc/fiscald/dns-hook "$1"', "/etc/fiscald/dns-hook: not found", undefined],
])("%s: its key is in no message, and its files and hosts are", (command, text, shown) => {
  expect(withoutKeysOf(command, text)).toBe(shown ?? text);
});
