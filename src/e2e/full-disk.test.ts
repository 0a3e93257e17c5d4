/** A disk that takes no more: the gateway says so, and comes back by itself when there is room. */

import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { Box } from "./harness/box.ts";
import { type ApiClient, type Gateway, registerShop, startGateway } from "./harness/gateway.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { until } from "./harness/until.ts";

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
