/**
 * Devices that are removed or changed while a receipt is under way: the till hears the end of it,
 * nothing stands in the way of the next one, and the printer's books say what was printed.
 */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { SALE, TOTAL_MINOR } from "./crash/documents.ts";
import { quieten } from "./crash/run.ts";
import { ApiClient, registerDevice } from "./harness/gateway.ts";
import { startOwnProcess } from "./harness/own-process.ts";
import { executable } from "./harness/program.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import { interruptAtEachFrame } from "./outages/interrupted-sale.ts";
import { COMPLETED, endOf, inWorld, statusOf, submitSale, untilAlert } from "./outages/scene.ts";

/** `fiscald device remove`, beside the running gateway. */
async function removeAtTheBox(world: World): Promise<void> {
  const program = await executable();
  const state = join(world.folder, "state");
  const args = ["device", "remove", world.deviceId, "--state-dir", state];
  expect(await startOwnProcess([program, ...args]).exited).toBe(0);
}

/** `fiscald command resolve`, beside the running gateway. */
async function resolveAtTheBox(world: World, id: string, outcome: string): Promise<void> {
  const program = await executable();
  const state = join(world.folder, "state");
  const args = ["command", "resolve", id, outcome, "--state-dir", state];
  expect(await startOwnProcess([program, ...args]).exited).toBe(0);
}

async function change(world: World, port: number): Promise<void> {
  const connectionParams = { host: world.printer.host, port };
  await world.till.expect("PATCH", `/devices/${world.deviceId}`, { connectionParams });
}

async function totalsOf(world: World): Promise<number[]> {
  return (await world.printer.books()).receipts.map(({ total }) => total);
}

describe("a device removed at the box", () => {
  test.concurrent("ends its commands for whoever waits for them; its printer waits for a person, as it was", () =>
    inWorld({}, async (world) => {
      await world.printer.fault({ kind: "paper_out", mode: "refused", at: 4 });
      const running = await submitSale(world);
      await untilAlert(world, "paper_out");
      const waiting = await submitSale(world);
      const ends = Promise.all([running, waiting].map(({ id }) => world.till.wait(id)));
      await removeAtTheBox(world);
      expect((await ends).map(endOf)).toEqual([
        { status: "failed", errorCode: "E903", outcome: "unknown" },
        { status: "failed", errorCode: "E903", outcome: "not_printed" },
      ]);

      await world.printer.clear();
      const { host, port } = world.printer;
      const target = { driver: "vendorA.isl", host, port };
      const deviceId = await registerDevice(world.till, target, "Again");
      const read = await world.till.submit(deviceId, "get_status");
      expect((await world.till.wait(read.id)).status).toBe("completed");
      const next = await world.till.submit(deviceId, SALE.type, SALE.payload);
      expect(await statusOf(world, next.id)).toBe("pending");
      await resolveAtTheBox(world, running.id, "not_printed");
      expect(endOf(await world.till.wait(next.id))).toEqual(COMPLETED);
      expect(await totalsOf(world)).toEqual([TOTAL_MINOR]);
      expect((await world.printer.books()).openDocument).toBeNull();
    }));
});

describe("a device whose address is changed", () => {
  test.concurrent("at any frame of a receipt prints it once, or says that it did not", () =>
    inWorld({}, (world) =>
      interruptAtEachFrame(world, async () => {
        // Away to where nobody answers, and back.
        await change(world, 1);
        await world.printer.clear();
        await change(world, world.printer.port);
      }),
    ));

  test.concurrent("to where nobody answers, after a receipt had begun, times it out and goes on afterwards", () =>
    inWorld({ args: ["--commands-overall-seconds=10"] }, async (world) => {
      const { frames } = await world.printer.books();
      await world.printer.fault({ kind: "silent_after", at: 1, count: 100_000 });
      const { id } = await submitSale(world);
      await until("the first frame", async () => (await world.printer.frames()) > frames);
      await until("it begins", async () => (await statusOf(world, id)) === "processing");
      await change(world, 1);
      await world.printer.clear();
      const { status, outcome } = endOf(await world.till.wait(id));
      expect({ status, outcome }).toEqual({ status: "failed", outcome: "not_printed" });

      await change(world, world.printer.port);
      const next = await submitSale(world);
      expect(endOf(await world.till.wait(next.id))).toEqual(COMPLETED);
      expect(await totalsOf(world)).toEqual([TOTAL_MINOR]);
    }));
});

describe("a place that is changed while a receipt waits for paper", () => {
  const HOUR_MS = 3_600_000;
  /** None of these zones has daylight time: the hours between them are always the same. */
  const CHANGES = [
    [
      "of the shop",
      (owner: ApiClient) =>
        owner.expect("PATCH", "/org", { timezone: "Asia/Tokyo", currency: "EUR" }),
    ],
    [
      "by another location",
      async (owner: ApiClient, deviceId: string) => {
        const tokyo = { name: "Tokyo", timezone: "Asia/Tokyo" };
        const { location } = await owner.expect<{ location: { id: string } }>(
          "POST",
          "/org/locations",
          tokyo,
        );
        await owner.expect("PATCH", `/devices/${deviceId}`, { locationId: location.id });
      },
    ],
  ] as const;

  test.concurrent.each(CHANGES)(
    "%s leaves that alone, and counts from the next command on",
    (_how, change) =>
      inWorld({}, async (world) => {
        const owner = new ApiClient(world.gateway.url, world.ownerToken);
        await owner.expect("PATCH", "/org", { timezone: "Asia/Dubai", currency: "RON" });
        const set = await world.till.submit(world.deviceId, "set_datetime");
        expect((await world.till.wait(set.id)).status).toBe("completed");
        // The fault comes at a frame: none of them is to be the gateway's own.
        await quieten(world);
        await world.printer.fault({ kind: "paper_out", mode: "refused", at: 4 });
        const running = await submitSale(world);
        await untilAlert(world, "paper_out");
        await change(owner, world.deviceId);
        const read = await world.till.submit(world.deviceId, "get_date_time");
        await world.printer.clear();

        expect(endOf(await world.till.wait(running.id))).toEqual(COMPLETED);
        expect(await totalsOf(world)).toEqual([TOTAL_MINOR]);
        const { receipts } = await world.till.expect<{
          receipts: { issuedAt: string; currency: string }[];
        }>("GET", "/receipts");
        const [receipt] = receipts;
        expect(receipt?.currency).toBe("RON");
        expect(hoursFromNow(receipt?.issuedAt)).toBe(0);
        // What the clock shows is read as a time five hours further east.
        expect(hoursFromNow((await world.till.wait(read.id)).result?.data?.dateTime)).toBe(-5);
      }),
  );

  function hoursFromNow(instant: unknown): number {
    return Math.round((Date.parse(String(instant)) - Date.now()) / HOUR_MS) + 0;
  }
});
