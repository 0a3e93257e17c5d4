/** Which printers are asked how far their numbers go as soon as they are first reached. */

import { expect, test } from "bun:test";
import { storedDevice } from "#core/device/testing/stored-device.ts";
import type { Device } from "#db/stores/devices.ts";
import { createLog } from "../platform/log.ts";
import { createRandom } from "../platform/random.ts";
import { DocumentChecks } from "./document-check.ts";
import { FirstNumbers } from "./first-number.ts";
import { takeUpTime } from "./kept-time.ts";
import { createQueueBench, DEVICE, ORG } from "./testing/queue-bench.ts";
import { TimerQueue } from "./timer-queue.ts";

/** A printer that is reached, with a sale that waits. @returns whether it is asked then, and at a start */
async function reached(change: Partial<Device>) {
  const bench = createQueueBench();
  const { stores, clock, writer, queue } = bench;
  stores.devices.insert(storedDevice({ id: DEVICE, orgId: ORG, lastSeenAt: 1, ...change }));
  const log = createLog({ level: "silent", clock });
  const options = { stores, clock, writer, queue, log, random: createRandom(clock) };
  await bench.submit();
  new FirstNumbers(options).reached(DEVICE);
  await bench.atRest();
  const asked = [...stores.commands.listUnfinished()].map(({ type }) => type);
  await new DocumentChecks({
    ...{ ...options, timers: new TimerQueue(clock), controllers: { reaches: () => true } },
    ...{ whenAhead: "alert", onChange: () => undefined, time: takeUpTime(stores.appliance, clock) },
  }).begin();
  return {
    isAsked: asked.includes("get_last_receipt_info"),
    isAskedAtStart: stores.documentChecks.listAsked().length > 0,
  };
}

const BOTH = { isAsked: true, isAskedAtStart: true };
const NEVER = { isAsked: false, isAskedAtStart: false };

test.each<[what: string, change: Partial<Device>, asked: typeof BOTH]>([
  ["that the gateway serves is asked", { controllerId: "builtin" }, BOTH],
  ["that an app has taken of it is not", { controllerId: "phone" }, NEVER],
  ["that an app is to serve is not", { managedBy: "remote", controllerId: "phone" }, NEVER],
])("a printer of which nothing is known, and %s", async (...[, change, asked]) => {
  expect(await reached(change)).toEqual(asked);
});
