/** What whoever listens hears of the end of a command. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  COMMANDS,
  type CommandsBench,
  createCommandsBench,
  UNKNOWN,
} from "./testing/commands-bench.ts";

const ENDS: readonly string[] = ["command.completed", "command.failed", "command.timeout"];

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
});
afterEach(() => bench.close());

/** What was told of ends, each with the command as it was told. */
const told = () =>
  bench.events.flatMap((event) =>
    "command" in event && ENDS.includes(event.type) ? [[event.type, event.command]] : [],
  );
const ended = (type: string, id: string, command: object) => [
  [type, expect.objectContaining({ id, ...command })],
];

test("a command that completes is told as command.completed, once", async () => {
  const result = { success: true, data: { receiptNumber: "27" }, fiscalId: "27" };
  const id = await bench.queued();
  await bench.marked(id, "committing");
  expect(told()).toEqual([]);
  await bench.finish(id, result);
  await bench.finish(id, result);
  const whole = { ...result, data: expect.objectContaining(result.data) };
  expect(told()).toEqual(ended("command.completed", id, { status: "completed", result: whole }));
});

test("a command that fails is told as command.failed, once", async () => {
  const result = { success: false, errorCode: "E306", errorMessage: "No paper" } as const;
  const id = await bench.queued("x_report", {});
  await bench.finish(id, result);
  await bench.finish(id, result);
  expect(told()).toEqual(ended("command.failed", id, { status: "failed", result }));
});

test("a command that is taken back or loses its device is told as command.failed", async () => {
  bench.levers.connected = false;
  const cancelled = await bench.queued();
  await bench.till.delete(`/api/v1/commands/${cancelled}`);
  const lost = await bench.queued();
  await bench.owner.delete(`/api/v1/devices/${bench.deviceId}`);
  const result = expect.objectContaining({ errorCode: "E903" });
  expect(told()).toEqual([
    ...ended("command.failed", cancelled, { status: "failed", result }),
    ...ended("command.failed", lost, { status: "failed", result }),
  ]);
});

test("a command that times out is told as command.timeout, once", async () => {
  bench.levers.connected = false;
  const id = await bench.queued();
  await bench.clock.advanceAsync(60_000);
  await bench.atRest();
  await bench.clock.advanceAsync(600_000);
  const result = expect.objectContaining({ success: false, errorCode: "E500" });
  expect(told()).toEqual(ended("command.timeout", id, { status: "timeout", result }));
});

test("a cash movement and a Z report that never left say that they were not made", async () => {
  bench.levers.connected = false;
  const ids = [await bench.queued("cash_in", { amount: 5 }), await bench.queued("z_report", {})];
  for (const id of ids) await bench.till.delete(`/api/v1/commands/${id}`);
  ids.push(await bench.queued("cash_out", { amount: 5 }), await bench.queued("z_report", {}));
  await bench.clock.advanceAsync(60_000);
  await bench.atRest();
  const results = ids.map((id) => bench.stores.commands.get(bench.orgId, id)?.result);
  const outcome = { data: { outcome: "not_printed" } };
  expect(results).toMatchObject([
    ...[
      { errorCode: "E903", ...outcome },
      { errorCode: "E903", ...outcome },
    ],
    ...[
      { errorCode: "E500", ...outcome },
      { errorCode: "E500", ...outcome },
    ],
  ]);
});

test.each([
  ["that it was printed", { success: true, fiscalId: "3" }],
  ["that it stands open", { ...UNKNOWN, errorCode: "E301" }],
] as const)(
  "a person who is asked again, as the printer shows %s, is told as command.updated",
  async (_, shown) => {
    const id = await bench.queued();
    await bench.marked(id, "committing");
    bench.queue.lineLost(bench.deviceId);
    await bench.clock.advanceAsync(60_000);
    expect((await bench.resolve(id, { outcome: "not_printed" })).status).toBe(200);
    await bench.atRest();
    const before = bench.events.length;
    await bench.finish(id, shown);
    expect((await bench.till.get(`${COMMANDS}/${id}`)).body).toMatchObject({
      command: { resolution: { outcome: null } },
    });
    const since = bench.events.slice(before);
    expect(since).toContainEqual(
      expect.objectContaining({
        type: "command.updated",
        command: expect.objectContaining({ id }),
      }),
    );
  },
);
