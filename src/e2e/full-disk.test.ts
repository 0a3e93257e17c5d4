/** A disk that takes no more: the gateway says so, and comes back by itself when there is room. */

import { describe, expect, test } from "bun:test";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SALE } from "./crash/documents.ts";
import { Box } from "./harness/box.ts";
import {
  ApiClient,
  type Gateway,
  registerDevice,
  registerShop,
  startGateway,
} from "./harness/gateway.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { startPrinter } from "./harness/simulator.ts";
import { until } from "./harness/until.ts";
import { COMPLETED, endOf } from "./outages/scene.ts";

/** Bounds the size of the files that a process writes, as a full disk would. */
async function boundFiles({ pid }: Gateway, bytes: number | "unlimited"): Promise<void> {
  const prlimit = ["/usr/bin/prlimit", `--pid=${pid}`, `--fsize=${bytes}:unlimited`];
  expect(await runToEnd(prlimit)).toMatchObject({ code: 0 });
}

/** Submits what a device that nobody drives will never begin. @returns the status of the answer */
async function submit(till: ApiClient, deviceId: string): Promise<number> {
  const body = { deviceId, type: "x_report", payload: {} };
  return (await till.call("POST", "/commands", { body })).status;
}

async function probe({ url }: Gateway, name: string): Promise<readonly [number, string]> {
  const answer = await fetch(`${url}/${name}`);
  return [answer.status, await answer.text()];
}

test("a full disk is told by /ready and /health until there is room", async () => {
  const box = new Box();
  try {
    const gateway = box.keep(await startGateway(box.stateDir));
    const { till } = await registerShop(gateway.url);
    const { id } = await till.expect<{ id: string }>("POST", "/devices", {
      ...{ name: "Nobody's", driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
      ...{ managedBy: "remote", connectionParams: { host: "127.0.0.1", port: 9 } },
    });
    expect(await submit(till, id)).toBe(202);
    await boundFiles(gateway, statSync(join(box.stateDir, "fiscald.db-wal")).size);
    await until("a refusal", async () => (await submit(till, id)) === 503);
    expect(await probe(gateway, "ready")).toEqual([503, '{"status":"unavailable"}']);
    expect(await probe(gateway, "health")).toEqual([503, expect.stringContaining("make room")]);
    // What was stored before can still be read.
    expect((await till.call("GET", "/commands")).status).toBe(200);
    expect(await submit(till, id)).toBe(503);

    await boundFiles(gateway, "unlimited");
    await until("the gateway to be ready", async () => (await probe(gateway, "ready"))[0] === 200);
    expect(await probe(gateway, "health")).toEqual([200, expect.stringContaining('"ok"')]);
    expect(await submit(till, id)).toBe(202);
  } finally {
    await box.clear();
  }
});

/** Mounts a small disk in memory. @returns false where that is not allowed */
async function mountDisk(folder: string): Promise<boolean> {
  const words = ["/usr/bin/mount", "-t", "tmpfs", "-o", "size=80m", "fiscald-test", folder];
  return existsSync("/usr/bin/mount") && (await runToEnd(words)).code === 0;
}

async function unmountDisk(folder: string): Promise<void> {
  expect(await runToEnd(["/usr/bin/umount", "--lazy", folder])).toMatchObject({ code: 0 });
}

/** Takes what room there is. @returns path of what took it */
function fill(folder: string): string {
  const path = join(folder, "filler");
  const file = openSync(path, "w");
  try {
    for (const bytes of [1_048_576, 4_096]) {
      const part = Buffer.alloc(bytes);
      try {
        while (writeSync(file, part) === bytes);
      } catch (error) {
        expect(error).toMatchObject({ code: "ENOSPC" });
      }
    }
    return path;
  } finally {
    closeSync(file);
  }
}

/** Only root may mount: where the tests run as somebody else the bound above stands for a disk. */
async function canMount(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-disk-"));
  try {
    if (!(await mountDisk(folder))) return false;
    await unmountDisk(folder);
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a test with a state directory on a small disk. */
async function onSmallDisk(run: (box: Box, reserve: string) => Promise<void>): Promise<void> {
  const box = new Box();
  mkdirSync(box.stateDir);
  await mountDisk(box.stateDir);
  try {
    await run(box, join(box.stateDir, "fiscald.reserve"));
  } finally {
    await unmountDisk(box.stateDir);
    await box.clear();
  }
}

if (await canMount())
  describe("a disk that is full", () => {
    test("loses nothing of what was taken before, and it goes on when there is room", () =>
      onSmallDisk(async (box, reserve) => {
        const printer = box.keep(
          await startPrinter({ stateFile: join(box.folder, "printer"), delayMs: 5 }),
        );
        const gateway = box.keep(await startGateway(box.stateDir));
        const { till } = await registerShop(gateway.url);
        const heard = listen(till);
        const target = { driver: "vendorA.isl", host: printer.host, port: printer.port };
        const deviceId = await registerDevice(till, target);
        await until("the reserve", () => statOf(reserve) === 16 * 1_048_576);

        const taken: string[] = [];
        for (let sale = 0; sale < 6; sale += 1) {
          taken.push((await till.submit(deviceId, SALE.type, SALE.payload)).id);
        }
        const filler = fill(box.stateDir);
        for (const id of taken) expect(endOf(await till.wait(id))).toEqual(COMPLETED);
        const { receiptCount } = await printer.books();
        expect(receiptCount).toBe(taken.length);
        await until("a refusal", async () => (await submit(till, deviceId)) === 503);
        expect((await probe(gateway, "ready"))[0]).toBe(503);
        expect(await probe(gateway, "health")).toEqual([503, expect.stringContaining("make room")]);
        expect(statOf(reserve)).toBe(0);
        expect(await alertsOf(till, deviceId)).toEqual(["disk_full"]);
        await until("the event", () => heard.text().includes('"appeared":[{"type":"disk_full"'));

        rmSync(filler);
        await until(
          "the gateway to be ready",
          async () => (await probe(gateway, "ready"))[0] === 200,
        );
        expect(statOf(reserve)).toBe(16 * 1_048_576);
        const { id } = await till.submit(deviceId, SALE.type, SALE.payload);
        expect(endOf(await till.wait(id))).toEqual(COMPLETED);
        await until("the end of the alert", () =>
          heard.text().includes('"cleared":[{"type":"disk_full"'),
        );
        expect(await alertsOf(till, deviceId)).toEqual([]);
        heard.stop();
        expect(gateway.output()).toContain("there is room on the disk again");
      }));

    test("keeps no gateway from starting, which tells what to do and goes on when there is room", () =>
      onSmallDisk(async (box, reserve) => {
        const former = box.keep(await startGateway(box.stateDir));
        const shop = await registerShop(former.url);
        await until("the reserve", () => statOf(reserve) === 16 * 1_048_576);
        expect(await former.stop()).toBe(0);
        const filler = fill(box.stateDir);

        const gateway = box.keep(await startGateway(box.stateDir));
        const till = new ApiClient(gateway.url, shop.till.credential);
        expect((await probe(gateway, "ready"))[0]).toBe(503);
        expect(await probe(gateway, "health")).toEqual([503, expect.stringContaining("make room")]);
        expect((await till.call("GET", "/commands")).status).toBe(200);
        expect(gateway.output()).toContain("the reserve on the disk is given up");
        expect(statOf(reserve)).toBe(0);
        rmSync(filler);
        await until(
          "the gateway to be ready",
          async () => (await probe(gateway, "ready"))[0] === 200,
        );
        expect(statOf(reserve)).toBe(16 * 1_048_576);
      }));
  });

async function alertsOf(till: ApiClient, deviceId: string): Promise<string[]> {
  const { alerts } = await till.expect<{ alerts: { type: string }[] }>(
    "GET",
    `/devices/${deviceId}/alerts`,
  );
  return alerts.map(({ type }) => type);
}

/** Listens to the events. */
function listen({ url, credential }: ApiClient): { text(): string; stop(): void } {
  let text = "";
  const listener = new AbortController();
  const read = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${credential}` };
    const { signal } = listener;
    const stream = await fetch(`${url}/api/v1/events/stream`, { headers, signal });
    const decoder = new TextDecoder();
    for await (const part of stream.body ?? []) text += decoder.decode(part, { stream: true });
  };
  read().catch((error: unknown) => {
    if (!listener.signal.aborted) throw error;
  });
  return { text: () => text, stop: () => listener.abort() };
}

function statOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
