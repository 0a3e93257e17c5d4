/** Marks that a driver waits for, and the answers to what was said of them. */

import { expect, test } from "bun:test";
import type { ToGateway } from "#core/controller/messages.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import { FakeClock } from "../platform/clock.ts";
import { newJob } from "./job.ts";
import { Marks } from "./progress.ts";

const DEVICE: DeviceConfig = {
  id: "dev_1",
  orgId: "org",
  name: "Till",
  driver: "vendorA.isl",
  transport: "tcp",
  connectionParams: { host: "h", port: 1 },
  timezone: "UTC",
  currency: "RON",
};

test("an answer to what was said again is none to the same mark with more behind it", async () => {
  const said: Extract<ToGateway, { type: "command.mark" }>[] = [];
  const channel = {
    isConnected: true,
    listen: () => undefined,
    send(message: ToGateway) {
      if (message.type === "command.mark") said.push(message);
    },
  };
  const marks = new Marks(channel, new FakeClock());
  const job = newJob({
    ...{ type: "command.dispatch", device: DEVICE, epoch: 1, begun: false, expiresInMs: 180_000 },
    command: { id: "c1", type: "print_receipt", payload: {} },
    expiresAt: "2026-01-15T10:00:00.000Z",
  });
  /** Answers as the gateway does; an older one names no number. */
  const answer = (at: number) => {
    const { commandId = "", mark = "baseline", markId } = said[at] ?? {};
    marks.stored({ commandId, mark, markId });
  };
  const stored: string[] = [];
  marks.begun(job);
  const printing = (async () => {
    await marks.report(job, "baseline", { linesWait: true });
    stored.push("lines wait");
    await marks.report(job, "baseline", { linesWait: false });
    stored.push("lines go out");
  })();
  marks.sayAgain();
  marks.repeat("c1");
  expect(new Set(said.map(({ markId }) => markId)).size).toBe(1);
  answer(1);
  await Promise.resolve();
  expect(said.at(3)).toMatchObject({ baseline: { linesWait: false } });
  answer(2);
  await Promise.resolve();
  expect(stored).toEqual(["lines wait"]);
  answer(3);
  await printing;
  expect(stored).toEqual(["lines wait", "lines go out"]);
});
