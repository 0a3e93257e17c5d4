/** Documents in doubt at an app that is connected and never says what became of them. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { COMMANDS, type CommandsBench, createCommandsBench } from "./testing/commands-bench.ts";

const MINUTE_MS = 60_000;

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
  bench.levers.isElsewhere = true;
});
afterEach(() => bench.close());

/** A receipt of which the app has told one mark, and then nothing more. */
async function marked(): Promise<string> {
  const id = await bench.queued();
  await bench.marked(id, "baseline", { number: 1 });
  bench.levers.sent.length = 0;
  return id;
}
async function minutes(many: number): Promise<void> {
  for (let one = 0; one < many; one++) {
    await bench.clock.advanceAsync(MINUTE_MS);
    await bench.atRest();
  }
}
const lookUp = async (id: string) => (await bench.till.get(`${COMMANDS}/${id}`)).text;
const asked = (id: string) =>
  bench.levers.sent.filter((sent) => sent.type === "command.resolve" && sent.command.id === id);
/** How often the app was told that it need not find out any more. */
const released = (id: string) =>
  bench.levers.sent.filter(
    (sent) => sent.type === "error" && sent.code === "FINAL" && sent.commandId === id,
  );

test("is handed over anew after twenty minutes, and may be settled a minute later", async () => {
  const id = await marked();
  await minutes(19);
  expect(bench.levers.sent).toEqual([]);
  expect((await bench.resolve(id, { outcome: "not_printed" })).status).toBe(409);
  await minutes(1);
  expect(asked(id)).toMatchObject([{ mark: "baseline", baseline: { number: 1 }, epoch: 2 }]);
  await minutes(1);
  const answer = await bench.resolve(id, { outcome: "not_printed" });
  expect(answer.body).toMatchObject({ command: { status: "failed" } });
  expect(released(id)).toHaveLength(1);
});

test("is unknown after twenty minutes more, and a person is asked", async () => {
  const id = await marked();
  await minutes(39);
  expect(await lookUp(id)).toContain('"status":"processing"');
  await minutes(1);
  expect(await lookUp(id)).toContain('"outcome":"unknown"');
  expect(bench.stores.outcomeHolds.listOpen()).toMatchObject([{ commandId: id }]);
  expect(released(id)).toHaveLength(1);
  expect((await bench.resolve(id, { outcome: "not_printed" })).status).toBe(200);
  const next = await bench.queued();
  expect(bench.levers.sent.at(-1)).toMatchObject({
    type: "command.dispatch",
    command: { id: next },
  });
  // Whatever it says then is news.
  await bench.finish(id, { success: true, fiscalId: "2" });
  expect(bench.queue.lateResults(bench.deviceId)).toMatchObject([{ commandId: id }]);
});

test("is not counted while the app could not ask the printer, nor beyond its end", async () => {
  const id = await marked();
  await minutes(15);
  await bench.outages();
  await minutes(4);
  expect(bench.levers.sent).toEqual([]);
  await bench.finish(id, { success: true, fiscalId: "2" });
  expect(await lookUp(id)).toContain('"status":"completed"');
  await minutes(40);
  expect(asked(id)).toEqual([]);
});

test("is no matter of time where the gateway itself serves the printer", async () => {
  bench.levers.isElsewhere = false;
  const id = await marked();
  await minutes(120);
  expect(await lookUp(id)).toContain('"status":"processing"');
});
