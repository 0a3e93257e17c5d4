/** One printer that two device records lead to: what only its numbers can tell. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { SALE, TOTAL_MINOR } from "./crash/documents.ts";
import { ApiClient, registerDevice, type ShownCommand } from "./harness/gateway.ts";
import { startSeverableLine } from "./harness/severable-line.ts";
import { startPrinter } from "./harness/simulator.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import { meanwhile } from "./outages/restored.ts";
import {
  COMPLETED,
  endOf,
  inWorld,
  makeUnknown,
  resolve,
  sell,
  sellUpTo,
} from "./outages/scene.ts";

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
    // A second way to the printer, as through a serial server.
    const detour = await startSeverableLine(world.printer);
    try {
      const { host, port } = detour;
      const target = { driver: "vendorA.isl", host, port };
      const second = await registerDevice(world.till, target, "Bar");
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
      detour.close();
    }
  }));

/** Leads a record to the address of another one, as versions did that did not compare addresses. */
function moveUnseen({ database }: World, deviceId: string, to: string): void {
  const sqlite = new Database(database);
  sqlite
    .query(
      `UPDATE devices SET address_keys = NULL,
        connection_params = (SELECT connection_params FROM devices WHERE id = ?2) WHERE id = ?1`,
    )
    .run(deviceId, to);
  sqlite.close();
}

test.concurrent("of two records at one address one stays down, though the printer tells no number", () =>
  inWorld({}, async (world) => {
    const [driver, model, profile] = ["custom.serial", "xonxoff", "custom-xonxoff"];
    const stateFile = join(world.folder, "mute.state");
    const { host, port, kill } = await startPrinter({ stateFile, driver, model });
    const register = async (name: string, params: object) => {
      const body = { name, driver, transport: "tcp", locationId: "shop" };
      const connectionParams = { host, profile, ...params };
      const { id } = await world.till.expect<{ id: string }>("POST", "/devices", {
        ...{ ...body, connectionParams },
      });
      return id;
    };
    const statusOf = (id: string) => world.till.expect<Status>("GET", `/devices/${id}/status`);
    try {
      const records = [await register("Mute", { port }), await register("Mute too", { port: 9 })];
      const [first = "", second = ""] = records;
      await meanwhile(world, async () => moveUnseen(world, second, first));
      const down = await until("one of them to stay down", async () => {
        const told = await Promise.all(records.map(statusOf));
        const index = told.findIndex(({ reason }) => reason?.includes("at this address already"));
        return index < 0 ? undefined : records[index];
      });
      const up = down === first ? second : first;
      expect((await statusOf(up)).effectiveStatus).toBe("online");
    } finally {
      await kill();
    }
  }));

/** The owner of another organization on the same gateway. */
async function otherShop({ gateway }: World): Promise<ApiClient> {
  const body = { email: "other@shop.example", password: "correct horse battery", name: "Other" };
  const { accessToken } = await new ApiClient(gateway.url).expect<{ accessToken: string }>(
    "POST",
    "/auth/register",
    { ...body, organizationName: "Other shop" },
  );
  return new ApiClient(gateway.url, accessToken);
}

interface AuditEntry {
  readonly action: string;
  readonly resource: string;
  readonly details: Readonly<Record<string, unknown>> | null;
}
const auditOf = async (owner: ApiClient): Promise<readonly AuditEntry[]> =>
  (await owner.expect<{ entries: readonly AuditEntry[] }>("GET", "/audit?limit=100")).entries;

test.concurrent("a printer of which another organization is asked stays down, and is not named", () =>
  inWorld({ args: ["--auth-registration=open"] }, async (world) => {
    await makeUnknown(world, "x");
    await world.till.expect("DELETE", `/devices/${world.deviceId}`);
    const other = await otherShop(world);
    const { host, port } = world.printer;
    const device = await registerDevice(other, { driver: "vendorA.isl", host, port });
    expect(await reasonOf(other, device)).toContain("fiscald command resolve");
  }));

test.concurrent("a receipt that one shop called not printed is not finished by the sale of another shop", () =>
  inWorld({ args: ["--auth-registration=open"] }, async (world) => {
    const owner = new ApiClient(world.gateway.url, world.ownerToken);
    expect(endOf(await sell(world))).toEqual(COMPLETED);
    const id = await sellUpTo(world, "paid");
    await world.printer.kill();
    await owner.expect("DELETE", `/devices/${world.deviceId}`);
    expect(endOf(await world.till.wait(id)).outcome).toBe("unknown");
    await resolve(world, id, { outcome: "not_printed" });
    await world.restartPrinter();
    const { receiptCount, openDocument } = await world.printer.books();
    expect(openDocument).not.toBeNull();

    const other = await otherShop(world);
    const { host, port } = world.printer;
    const device = await registerDevice(other, { driver: "vendorA.isl", host, port });
    const { id: theirs } = await other.submit(device, SALE.type, SALE.payload);
    const refused = await other.wait(theirs);
    expect(endOf(refused)).toMatchObject({ errorCode: "E301", outcome: "not_printed" });
    expect(await world.printer.books()).toMatchObject({ receiptCount, openDocument });

    // The question is back in the shop whose receipt it is, and neither learns an id of the other.
    const { command } = await world.till.expect<{ command: ShownCommand }>(
      "GET",
      `/commands/${id}`,
    );
    expect(command.resolution).toMatchObject({ outcome: null });
    const asked = (await auditOf(owner)).filter(({ action }) => action === "command.asked_again");
    expect(asked).toMatchObject([{ resource: id, details: { standsOpen: true } }]);
    const ours = JSON.stringify([command, await auditOf(owner)]);
    for (const hidden of [theirs, device]) expect(ours).not.toContain(hidden);
    const status = await other.expect("GET", `/devices/${device}/status`);
    const alerts = await other.expect("GET", `/devices/${device}/alerts`);
    const told = JSON.stringify([refused, status, alerts, await auditOf(other)]);
    for (const hidden of [id, world.deviceId]) expect(told).not.toContain(hidden);

    await resolve(world, id, { outcome: "printed" });
    const { id: next } = await other.submit(device, SALE.type, SALE.payload);
    expect(endOf(await other.wait(next))).toEqual(COMPLETED);
    expect((await world.printer.books()).receiptCount).toBe(receiptCount + 2);
  }));
