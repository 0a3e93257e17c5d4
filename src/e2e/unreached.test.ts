/** A printer that was registered and never reached: what the shop is told of it. */

import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { registerDevice, registerShop, startGateway } from "./harness/gateway.ts";
import { startPrinter } from "./harness/simulator.ts";
import { until } from "./harness/until.ts";

/** A port at which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

test("says why in its status, its alert, the log and what times out", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fiscald-unreached-"));
  const args = ["--commands-overall-seconds=2"];
  const gateway = await startGateway(join(folder, "state"), { args });
  try {
    const { till } = await registerShop(gateway.url);
    const port = await closedPort();
    const reason = `Cannot reach 127.0.0.1:${port}: connection refused`;
    const target = { driver: "vendorA.isl", host: "127.0.0.1", port };
    const deviceId = await registerDevice(till, target, "Bar");
    const status = await until("a reason", async () => {
      const now = await till.expect<{ reason: string | null }>(
        "GET",
        `/devices/${deviceId}/status`,
      );
      return now.reason === null ? undefined : now;
    });
    expect(status).toMatchObject({
      ...{ wsConnected: false, controllerOnline: true, effectiveStatus: "offline" },
      reason,
    });
    expect(await till.expect("GET", `/devices/${deviceId}`)).toMatchObject({
      controllerId: "builtin",
    });
    const path = `/devices/${deviceId}/alerts`;
    expect(await till.expect("GET", path)).toMatchObject({
      alerts: [
        {
          ...{ type: "device_disconnected", severity: "error", deviceName: "Bar" },
          message: expect.stringContaining(reason),
        },
      ],
    });
    const { id } = await till.submit(deviceId, "get_status");
    expect(await till.wait(id)).toMatchObject({
      status: "timeout",
      result: { errorCode: "E500", errorMessage: expect.stringContaining(reason) },
    });
    const lines = gateway
      .output()
      .split("\n")
      .filter((line) => line.includes(deviceId) && line.includes("offline"));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ device: "Bar", reason }]);
  } finally {
    await gateway.kill();
    await rm(folder, { recursive: true });
  }
});

test("says so where something answers in another protocol than the driver's", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fiscald-stranger-"));
  const gateway = await startGateway(join(folder, "state"), { args: [] });
  const printer = await startPrinter({
    ...{ driver: "vendorE.zfp", stateFile: join(folder, "printer") },
  });
  try {
    const { till } = await registerShop(gateway.url);
    const { host, port } = printer;
    const deviceId = await registerDevice(till, { driver: "vendorA.isl", host, port }, "Bar");
    const path = `/devices/${deviceId}/alerts`;
    const message = await until("an explained alert", async () => {
      const { alerts } = await till.expect<{ alerts: { message: string }[] }>("GET", path);
      return alerts.find((alert) => alert.message.includes("Something answers"))?.message;
    });
    expect(message).toContain("that its driver is the right one. Something answers, but not in");
    expect(message).not.toContain("does not answer");
  } finally {
    await gateway.kill();
    await printer.kill();
    await rm(folder, { recursive: true });
  }
});
