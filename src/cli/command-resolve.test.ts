/** What a person at the box says of a command, and is told of it, on the gateway's own clock. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { AuditAction } from "#core/audit.ts";
import { createTerminalBench, type TerminalBench } from "./testing/terminal-bench.ts";

const MINUTE_MS = 60_000;

let bench: TerminalBench;
beforeEach(async () => {
  bench = await createTerminalBench();
});
afterEach(() => bench.close());

const audited = (action: AuditAction) =>
  bench.stores.audit.page(bench.orgId, {
    filter: { action },
    limit: 9,
    order: "desc",
  });

/** A sale of which the payment may have gone out when the line was lost. */
async function lostSale(): Promise<string> {
  const id = await bench.queued();
  await bench.marked(id, "committing");
  bench.queue.lineLost(bench.deviceId);
  return id;
}

test("a sale that is under way is settled once its printer was silent for a minute", async () => {
  const id = await lostSale();
  const early = await bench.run("command resolve", id, "not_printed");
  expect([early.code, early.err]).toEqual([
    2,
    `fiscald: ${id}: The outcome is not open for a person yet: the device may still tell. A person may say it once the device was silent for 60 s\n`,
  ]);
  await bench.clock.advanceAsync(MINUTE_MS);
  for (const words of ["status", "command open"]) {
    expect((await bench.run(words)).out).toMatch(new RegExp(` command show ${id} --state-dir `));
  }
  const shown = await bench.run("command show", id);
  expect(shown.text).toContain(
    "If the printer stays silent, look at its paper and say what it shows",
  );
  expect(shown.out).toMatch(new RegExp(` command resolve ${id} printed --fiscal-id NUMBER `));

  const said = await bench.run("command resolve --fiscal-id 49", id, "printed");
  expect([said.code, said.err]).toEqual([0, ""]);
  expect(said.text).toStartWith(`${id} was printed; what waits goes on as soon as Till answers`);
  expect(bench.stores.commands.get(null, id)).toMatchObject({
    status: "completed",
    result: { fiscalId: "49", data: { settledBy: "box" } },
  });
  expect(audited("command.resolve")).toMatchObject([{ actor: "box", address: null, resource: id }]);
});

test("a number that was mistyped is said anew, also while no gateway runs", async () => {
  const id = await bench.queued();
  await bench.marked(id, "committing");
  await bench.finish(id, { success: false, errorCode: "E102", data: { outcome: "unknown" } });
  await bench.run("command resolve --fiscal-id 94", id, "printed");
  await bench.stop();
  const said = await bench.run("command resolve --fiscal-id 49", id, "printed");
  expect([said.code, said.err]).toEqual([0, ""]);
  expect(said.text).toStartWith(`${id} was printed; its number is 49 now`);
  const again = await bench.run("command resolve --fiscal-id 49", id, "printed");
  expect([again.code, again.err]).toEqual([2, expect.stringContaining("settled so already")]);
});

test("without its gateway a sale under way is nobody's to settle", async () => {
  const id = await lostSale();
  await bench.clock.advanceAsync(MINUTE_MS);
  await bench.stop();
  const said = await bench.run("command resolve", id, "printed");
  expect([said.code, said.out]).toEqual([3, ""]);
  expect(said.err).toMatch(/^fiscald: no gateway runs on .*: start it with .* serve /);
});

test("a word that the printer contradicts later is told with the command and the number", async () => {
  const id = await lostSale();
  await bench.clock.advanceAsync(MINUTE_MS);
  await bench.run("command resolve --fiscal-id 94", id, "printed");
  await bench.finish(id, { success: true, fiscalId: "49" });
  for (const words of ["status", "alert list"]) {
    const { out, text } = await bench.run(words);
    expect(text).toContain(
      "compare the paper and the till; the alert ends by itself after a day. The printer says number 49",
    );
    expect(out).toMatch(new RegExp(` command show ${id} --state-dir `));
  }
  const told = JSON.parse((await bench.run("alert list --json")).out);
  expect(told).toContainEqual(
    expect.objectContaining({ type: "late_result", commandId: id, fiscalId: "49" }),
  );
  const { text } = await bench.run("command show", id);
  expect(text).toContain("Number 94");
  expect(text).toContain("Printer says it was printed as number 49, told at ");
});

test("a receipt that stands open, though it was called not printed, is told so", async () => {
  const id = await lostSale();
  await bench.clock.advanceAsync(MINUTE_MS);
  await bench.run("command resolve", id, "not_printed");
  const open = { success: false, errorCode: "E301", data: { outcome: "unknown" } } as const;
  await bench.finish(id, open);
  for (const words of ["status", "alert list", "command show"]) {
    const { text } = await bench.run(words, ...(words === "command show" ? [id] : []));
    expect(text).toContain("stands open on the printer, which can only finish it");
    expect(text).toMatch(/called printed, it is finished and counts/i);
  }
  expect((await bench.run("command resolve", id, "printed")).code).toBe(0);
  expect((await bench.run("status")).text).not.toContain("stands open");
});

test("what has ended is listed with from when until when, and who settled it", async () => {
  expect((await bench.run("alert list --past")).out).toBe(
    "No alert of the last 90 days has ended.\n",
  );
  const at = bench.clock.now();
  const about = { orgId: bench.orgId, deviceId: bench.deviceId, deviceName: "Till" };
  const ended = { endedAt: at + 5 * MINUTE_MS, endedBy: "box" } as const;
  await bench.writer.run(() => {
    const { alertHistory, audit } = bench.stores;
    const plain = { commandId: null, fiscalId: null, standsOpen: null, message: "", ...about };
    const paper = { ...plain, type: "paper_out", severity: "error", detectedAt: at } as const;
    alertHistory.append({ ...paper, ...ended, end: "cured", endedBy: null });
    alertHistory.append({ ...paper, type: "outcome_unknown", ...ended, end: "settled" });
    const byKey = { ...paper, ...ended, end: "settled", endedBy: "key:key_gone" } as const;
    alertHistory.append({ ...byKey, type: "state_restored" });
    audit.append({
      ...{ orgId: bench.orgId, at, actor: "box", action: "api_key.revoked" },
      ...{ resource: "key_gone", details: { label: "Bar" } },
    });
    alertHistory.append({ ...paper, endedAt: null, end: null, endedBy: null });
  });
  const { out, code } = await bench.run("alert list --past --device Till --severity error");
  const time = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\\S* to\\s+\\d\\d:\\d\\d\\S*\\s+\\(5\\s+min\\)";
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(
        `^error {4}Till, state_restored, ${time}:\\s+settled\\s+by\\s+the\\s+key\\s+Bar\n` +
          `error {4}Till, outcome_unknown, ${time}:\\s+settled\\s+by\\s+box\n` +
          `error {4}Till, paper_out, ${time}:\\s+mended\n$`,
      ),
    ),
  ]);
  const told = JSON.parse((await bench.run("alert list --past --json")).out);
  expect(told).toMatchObject([
    { type: "state_restored", endedBy: "key:key_gone" },
    { type: "outcome_unknown", endedBy: "box" },
    { end: "cured" },
  ]);
});
