/** What is told of a command that failed to put a record into the zone. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../e2e/harness/until.ts";
import { FakeClock } from "../../platform/clock.ts";
import { dnsSolver } from "./solvers.ts";

const KEY = "k3y-of-the-zone";
const challenge = { name: "shop.example", token: "t", answer: "a", record: "r" };

function solver(command: string) {
  const logged: string[] = [];
  const log = { warn: (text: string, fields?: object) => void logged.push(text, fieldsOf(fields)) };
  const pause = () => Promise.resolve();
  const [clock, stopping] = [new FakeClock(0), new AbortController()];
  const { signal } = stopping;
  const one = dnsSolver({ command, waitMs: 0, pause, clock, signal, log });
  return { ...{ logged, clock, one }, stop: () => stopping.abort() };
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

describe("a command that waits for ever", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "fiscald-solver-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs a command of which a child holds the pipe that it writes to. @returns the child's number */
  async function begun(words: string) {
    const file = join(folder, "child");
    const made = solver(`expr 6 '*' 7 >&2; ${words} & echo $! > ${file}; wait`);
    const ended = made.one.present(challenge).catch((fault: unknown) => String(fault));
    const text = await until("the child", () =>
      existsSync(file) && readFileSync(file, "utf8").endsWith("\n")
        ? readFileSync(file, "utf8")
        : undefined,
    );
    return { ...made, ended, child: Number(text) };
  }
  const isGone = (pid: number) => !existsSync(`/proc/${pid}`) || undefined;

  test("is ended after two minutes, with all that it has started", async () => {
    const { clock, ended, child, logged } = await begun("sleep 600");
    clock.advance(120_000);
    expect(await ended).toMatch(/took longer than 120 s and was ended; the log has what it wrote$/);
    expect(logged.join()).toContain('"wrote":"42"');
    await until("the end of the child", () => isGone(child));
  });

  test("is killed where it does not end when it is asked to", async () => {
    const { clock, ended, child } = await begun("trap '' TERM; sleep 600");
    clock.advance(120_000);
    clock.advance(5_000);
    expect(await ended).toContain("took longer than 120 s and was ended");
    await until("the end of the child", () => isGone(child));
  });

  test("takes the record out of the zone again where the gateway stops meanwhile", async () => {
    const file = join(folder, "zone");
    const { one, stop, logged } = solver(`sleep 0; echo "$1 $2" >> ${file}`);
    await one.present(challenge);
    stop();
    await one.remove(challenge);
    expect([readFileSync(file, "utf8"), logged]).toEqual([
      "add _acme-challenge.shop.example\nremove _acme-challenge.shop.example\n",
      [],
    ]);
  });

  test("is ended when the gateway stops", async () => {
    const { stop, ended, child } = await begun("sleep 600");
    stop();
    expect(await ended).toContain("was ended by SIGTERM");
    await until("the end of the child", () => isGone(child));
  });

  test("keeps nobody waiting once its shell has ended with 0", async () => {
    const file = join(folder, "child");
    await solver(`sleep 600 & echo $! > ${file}`).one.present(challenge);
    const child = Number(readFileSync(file, "utf8"));
    expect(isGone(child)).toBeUndefined();
    process.kill(child);
  });
});
