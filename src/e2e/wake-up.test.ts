/** A tablet whose app sleeps, a relay that wakes it, and the gateway as a process of its own. */

import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ScriptedController } from "../modules/controllers/testing/scripted-controller.ts";
import { registerShop, startGateway } from "./harness/gateway.ts";
import { until } from "./harness/until.ts";

const KEY = "a long random text";

test("a sleeping app is woken for a command, and the command is sent to it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-wake-"));
  const received: { readonly authorization: string | null; readonly body: unknown }[] = [];
  const relay = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    async fetch(request) {
      const authorization = request.headers.get("authorization");
      received.push({ authorization, body: await request.json() });
      return new Response();
    },
  });
  const gateway = await startGateway(join(folder, "state"), {
    args: [`--push-relay-url=http://127.0.0.1:${relay.port}/wake`, `--push-relay-key=${KEY}`],
  });
  try {
    const { till, key } = await registerShop(gateway.url);
    const { id: deviceId } = await till.expect<{ id: string }>("POST", "/devices", {
      ...{ name: "Counter", driver: "vendorA.isl", locationId: "shop", managedBy: "remote" },
      ...{ transport: "bluetooth", connectionParams: { address: "AA:BB:CC:DD:EE:FF" } },
    });
    const connect = () => ScriptedController.connect(gateway.url, { credential: key });
    const tablet = await connect();
    tablet.announce(deviceId);
    await tablet.next("announce.accepted");
    await till.expect("POST", "/controllers/tablet/fcm-token", { fcmToken: "t0k" });
    tablet.close();
    await tablet.ended();
    await until("the gateway to know that it sleeps", async () => {
      const status = await till.expect<{ controllerOnline: boolean }>(
        "GET",
        `/devices/${deviceId}/status`,
      );
      return !status.controllerOnline;
    });

    const { id: commandId } = await till.submit(deviceId, "get_status");
    const [wakeUp] = await until("the wake-up", () => received.length > 0 && received);
    expect(wakeUp).toMatchObject({
      authorization: `Bearer ${KEY}`,
      body: { token: "t0k", data: { type: "wake", controllerId: "tablet", deviceId, commandId } },
    });
    const woken = await connect();
    expect((await woken.next("command.dispatch")).command.id).toBe(commandId);
    const { command } = await till.expect<{ command: { status: string } }>(
      "GET",
      `/commands/${commandId}`,
    );
    expect(command.status).toBe("sent");
    woken.close();
  } finally {
    await gateway.kill();
    await relay.stop(true);
    rmSync(folder, { recursive: true, force: true });
  }
});
