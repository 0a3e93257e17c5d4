/** A document in the hands of a controller that tells no marks, as a till sees it. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  COMMANDS,
  type CommandsBench,
  createCommandsBench,
  UNKNOWN,
} from "./testing/commands-bench.ts";

/** By when a command has to have begun. */
const OVERALL_MS = 180_000;

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
  bench.levers.reportsMarks = false;
});
afterEach(() => bench.close());

const read = async (id: string) => (await bench.till.get(`${COMMANDS}/${id}`)).body;
const resolve = (id: string) => bench.till.post(`${COMMANDS}/${id}/resolve`, PRINTED);
const PRINTED = { outcome: "printed", fiscalId: "27" };

test("it is sent until the controller acknowledges it", async () => {
  const id = await bench.queued();
  expect(bench.levers.sent).toMatchObject([{ type: "command.dispatch", command: { id } }]);
  expect(await read(id)).toMatchObject({ command: { status: "sent", processingAt: null } });
  await bench.reported({ type: "command.ack", commandId: id });
  expect(await read(id)).toMatchObject({
    command: { status: "processing", processingAt: expect.any(String) },
  });
  await bench.clock.advanceAsync(OVERALL_MS);
  expect(await read(id)).toMatchObject({ command: { status: "processing" } });
});

test("it ends in time when the controller says nothing, and a person is asked", async () => {
  const id = await bench.queued();
  const early = await resolve(id);
  expect(early.refusal).toBe("409 CONFLICT");
  expect(early.text).toContain("ends at 2026-01-15T10:03:00.000Z, and a person is asked");
  await bench.clock.advanceAsync(OVERALL_MS);
  await bench.atRest();
  expect(await read(id)).toMatchObject({
    command: {
      status: "timeout",
      result: {
        errorCode: "E500",
        errorMessage: "The controller got the command and did not say in time what became of it",
        data: { outcome: "unknown" },
      },
    },
  });
  expect((await resolve(id)).status).toBe(200);
});

test("it stands in the books where it was printed and failed at something else", async () => {
  const id = await bench.queued();
  const failed = { success: false, errorCode: "E306", errorMessage: "Paper" } as const;
  await bench.finish(id, { ...failed, fiscalId: "27", data: { outcome: "printed" } });
  expect(await read(id)).toMatchObject({
    command: { status: "completed", result: { success: true, fiscalId: "27" } },
  });
  expect((await bench.owner.get("/api/v1/receipts")).body).toMatchObject({
    receipts: [{ commandId: id, fiscalId: "27", type: "sale" }],
  });
});

test("a person is asked again of the one before, where that stands in its way", async () => {
  const before = await bench.queued();
  await bench.finish(before, UNKNOWN);
  const said = { outcome: "not_printed" };
  expect((await bench.till.post(`${COMMANDS}/${before}/resolve`, said)).status).toBe(200);
  await bench.atRest();
  bench.clock.advance(1_000);
  const id = await bench.queued();
  await bench.finish(id, { success: false, errorCode: "E301", errorMessage: "A receipt is open" });
  expect(await read(id)).toMatchObject({
    command: {
      result: { errorCode: "E102", data: { outcome: "unknown", deviceError: { code: "E301" } } },
    },
  });
  expect((await bench.owner.get(`/api/v1/devices/${bench.deviceId}/alerts`)).body).toMatchObject({
    alerts: expect.arrayContaining([
      expect.objectContaining({ type: "outcome_unknown", commandId: before, standsOpen: true }),
      expect.objectContaining({ type: "outcome_unknown", commandId: id }),
    ]),
  });
});
