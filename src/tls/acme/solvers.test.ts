/** What is told of a command that failed to put a record into the zone. */

import { expect, test } from "bun:test";
import { dnsSolver } from "./solvers.ts";

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
