/** One printer that two device records lead to: what only its numbers can tell. */

import { expect, test } from "bun:test";
import { connect, createServer, type Server } from "node:net";
import { SALE, TOTAL_MINOR } from "./crash/documents.ts";
import { ApiClient, registerDevice } from "./harness/gateway.ts";
import { ownHost } from "./harness/own-host.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import { COMPLETED, endOf, inWorld, makeUnknown, sell } from "./outages/scene.ts";

/** A second way to the printer, as through a serial server. */
async function detour(world: World): Promise<{ host: string; port: number; server: Server }> {
  const { host: to, port: at } = world.printer;
  const host = ownHost();
  const server = createServer((socket) => {
    const line = connect(at, to);
    for (const [one, other] of [
      [socket, line],
      [line, socket],
    ] as const) {
      one.pipe(other);
      one.on("error", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, host, () => resolve()));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { host, port: address.port, server };
}

interface Status {
  readonly effectiveStatus: string;
  readonly reason: string | null;
}
const reasonOf = (client: ApiClient, deviceId: string): Promise<string> =>
  until("a reason", async () => {
    const status = await client.expect<Status>("GET", `/devices/${deviceId}/status`);
    return status.effectiveStatus === "offline" && status.reason ? status.reason : undefined;
  });

test.concurrent("the record that is up stays up, the other one stays down and says why", () =>
  inWorld({}, async (world) => {
    const { server, ...address } = await detour(world);
    try {
      const second = await registerDevice(world.till, { driver: "vendorA.isl", ...address }, "Bar");
      expect(await reasonOf(world.till, second)).toContain('already, as "Printer"');
      const { id } = await world.till.submit(second, SALE.type, SALE.payload);
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      const waiting = await world.till.expect<{ command: { status: string } }>(
        "GET",
        `/commands/${id}`,
      );
      expect(waiting.command.status).toBe("pending");
      const { receipts } = await world.printer.books();
      expect(receipts.map(({ total }) => total)).toEqual([TOTAL_MINOR]);
    } finally {
      server.close();
    }
  }));

test.concurrent("a printer of which another organization is asked stays down, and is not named", () =>
  inWorld({ args: ["--auth-registration=open"] }, async (world) => {
    await makeUnknown(world, "x");
    await world.till.expect("DELETE", `/devices/${world.deviceId}`);
    const { accessToken } = await new ApiClient(world.gateway.url).expect<{
      accessToken: string;
    }>("POST", "/auth/register", {
      email: "other@shop.example",
      password: "correct horse battery",
      name: "Other",
      organizationName: "Other shop",
    });
    const other = new ApiClient(world.gateway.url, accessToken);
    const { host, port } = world.printer;
    const device = await registerDevice(other, { driver: "vendorA.isl", host, port });
    expect(await reasonOf(other, device)).toContain("fiscald command resolve");
  }));
