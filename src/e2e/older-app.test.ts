/** Apps that serve a printer themselves and tell no marks, beside a gateway of its own for each test. */

import { expect, test } from "bun:test";
import { ScriptedController } from "../modules/controllers/testing/scripted-controller.ts";
import { SALE } from "./crash/documents.ts";
import { Box } from "./harness/box.ts";
import {
  type Gateway,
  registerDevice,
  registerShop,
  type Shop,
  type ShownCommand,
  startGateway,
} from "./harness/gateway.ts";
import { until } from "./harness/until.ts";
import { COMPLETED, endOf } from "./outages/scene.ts";

/** A shop whose printer an app serves. */
interface AppShop {
  readonly gateway: Gateway;
  readonly shop: Shop;
  readonly deviceId: string;
  /** Connects an app. */
  app(controllerId: string, marks?: "0" | "1"): Promise<ScriptedController>;
}

const NOWHERE = { driver: "vendorA.isl", host: "127.0.0.1", managedBy: "remote" } as const;

async function inAppShop(use: (shop: AppShop) => Promise<void>, args: readonly string[] = []) {
  const box = new Box();
  const apps: ScriptedController[] = [];
  try {
    const gateway = box.keep(await startGateway(box.stateDir, { args }));
    const shop = await registerShop(gateway.url);
    const deviceId = await registerDevice(shop.till, { ...NOWHERE, port: 9 });
    const app: AppShop["app"] = async (controllerId, marks = "0") => {
      const credential = shop.key;
      const made = await ScriptedController.connect(gateway.url, {
        ...{ credential, controllerId, query: { marks } },
      });
      apps.push(made);
      return made;
    };
    await use({ gateway, shop, deviceId, app });
  } finally {
    for (const one of apps) one.close();
    await box.clear();
  }
}

/** What an app tells of the printer of that number. */
const printer = (number: string) => ({
  info: {
    ...{ serialNumber: `DT${number}`, fiscalMemorySerialNumber: `4${number}` },
    ...{ manufacturer: null, model: "M", firmwareVersion: "1", charsPerLine: 42 },
    reversalTenders: ["cash"],
  },
});

/** An app is at a printer. */
async function at(one: ScriptedController, deviceId: string, number: string): Promise<void> {
  one.announce(deviceId, printer(number));
  await one.next("announce.accepted");
}

const alertsOf = async ({ shop }: AppShop, deviceId: string): Promise<string[]> => {
  const path = `/devices/${deviceId}/alerts`;
  const { alerts } = await shop.till.expect<{ alerts: { type: string }[] }>("GET", path);
  return alerts.map(({ type }) => type);
};
const untilAlert = (world: AppShop, type: string) =>
  until(type, async () => (await alertsOf(world, world.deviceId)).includes(type));
const submit = ({ shop, deviceId }: AppShop, id = deviceId): Promise<ShownCommand> =>
  shop.till.submit(id, SALE.type, SALE.payload);
const printed = (number: string) => ({
  ...{ success: true, fiscalId: number, data: { receiptNumber: number } },
});

/** The app prints what it is told next. */
async function prints(one: ScriptedController, number: string): Promise<string> {
  const { command, epoch } = await one.next("command.dispatch");
  const said = { commandId: command.id, epoch };
  one.say({ type: "command.ack", ...said });
  one.say({ type: "command.result", ...said, result: printed(number) });
  return command.id;
}

/** The app has a sale of which the first payment is about to be sent. @returns what it calls it */
async function aboutToPay(world: AppShop, app: ScriptedController) {
  const { id: commandId } = await submit(world);
  const { epoch } = await app.next("command.dispatch");
  const said = { commandId, epoch };
  app.say({ type: "command.ack", ...said });
  app.say({ type: "command.mark", ...said, mark: "baseline", baseline: {} });
  app.say({ type: "command.mark", ...said, mark: "committing" });
  for (const mark of ["baseline", "committing"]) {
    expect(await app.next("mark.stored")).toMatchObject({ mark });
  }
  return said;
}

test.concurrent("what it had when another printer was taken in its printer's place is asked of the one before", () =>
  inAppShop(async (world) => {
    const { shop, deviceId } = world;
    const app = await world.app("tablet");
    await at(app, deviceId, "000001");
    const { id } = await submit(world);
    const { epoch } = await app.next("command.dispatch");
    app.say({ type: "command.ack", commandId: id, epoch });
    app.announce(deviceId, { link: "down" });
    app.announce(deviceId, printer("000002"));
    await untilAlert(world, "other_printer");
    await shop.owner.expect("POST", `/devices/${deviceId}/accept-printer`);
    expect(endOf(await shop.till.wait(id))).toEqual({
      ...{ status: "failed", errorCode: "E102", outcome: "unknown" },
    });
    const next = await submit(world);
    await at(app, deviceId, "000002");
    expect(await prints(app, "1")).toBe(next.id);
    expect(endOf(await shop.till.wait(next.id))).toEqual(COMPLETED);
    expect(await alertsOf(world, deviceId)).toContain("outcome_unknown");
  }));

test.concurrent("a new zone and currency of the shop is told behind the sale that it prints, which is not handed over again", () =>
  inAppShop(async (world) => {
    const { shop, deviceId } = world;
    const app = await world.app("tablet");
    await at(app, deviceId, "000001");
    const { id: commandId } = await submit(world);
    const { epoch } = await app.next("command.dispatch");
    app.say({ type: "command.ack", commandId, epoch });
    await shop.owner.expect("PATCH", "/org", { timezone: "Asia/Tokyo", currency: "EUR" });
    const note = { action: "drawer.opened", details: {}, noteId: "n1" };
    app.say({ type: "device.note", deviceId, ...note });
    // Whatever it was told until then is passed over.
    await app.next("note.stored");
    app.say({ type: "command.result", commandId, epoch, result: printed("1") });
    expect(await app.next("device.assigned")).toMatchObject({
      device: { timezone: "Asia/Tokyo", currency: "EUR" },
    });
    expect(endOf(await shop.till.wait(commandId))).toEqual(COMPLETED);
    const next = await submit(world);
    expect(await prints(app, "2")).toBe(next.id);
  }));

test.concurrent("a printer that was exchanged and is back goes on at once", () =>
  inAppShop(async (world) => {
    const { shop, deviceId } = world;
    const app = await world.app("tablet");
    await at(app, deviceId, "000001");
    app.announce(deviceId, { link: "down" });
    app.announce(deviceId, printer("000002"));
    await untilAlert(world, "other_printer");
    const { id } = await submit(world);
    await at(app, deviceId, "000001");
    const startedAt = performance.now();
    expect(await prints(app, "1")).toBe(id);
    expect(endOf(await shop.till.wait(id))).toEqual(COMPLETED);
    // Long before printers that are kept out are tried again.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  }));

test.concurrent("a sale that goes to a new record of a held printer waits for the person, until its numbers are told and after", () =>
  inAppShop(async (world) => {
    const { shop, deviceId } = world;
    const app = await world.app("tablet", "1");
    await at(app, deviceId, "000001");
    const said = await aboutToPay(world, app);
    const { commandId: id } = said;
    const unknown = { success: false, errorCode: "E102", data: { outcome: "unknown" } };
    app.say({ type: "command.result", ...said, result: unknown });
    expect(endOf(await shop.till.wait(id))).toMatchObject({ outcome: "unknown" });
    app.announce(deviceId, { link: "down" });
    await untilAlert(world, "device_disconnected");

    const second = await registerDevice(shop.till, { ...NOWHERE, port: 10 }, "Second");
    const sale = await submit(world, second);
    const other = await world.app("other");
    await at(other, second, "000001");
    const reading = await shop.till.submit(second, "get_status");
    const { command } = await other.next("command.dispatch");
    expect(command.id).toBe(reading.id);
    const path = `/commands/${sale.id}`;
    const shown = await shop.till.expect<{ command: ShownCommand }>("GET", path);
    expect(shown.command.status).toBe("pending");
    await shop.till.expect("POST", `/commands/${id}/resolve`, { outcome: "not_printed" });
    other.say({
      ...{ type: "command.result", commandId: reading.id },
      result: { success: false, errorCode: "E100", errorMessage: "No" },
    });
    expect(await prints(other, "1")).toBe(sale.id);
    expect(endOf(await shop.till.wait(sale.id))).toEqual(COMPLETED);
  }));

test.concurrent("what is asked over the line of another record is asked anew of an app that begins anew", () =>
  inAppShop(async (world) => {
    const { shop, deviceId } = world;
    const app = await world.app("tablet", "1");
    await at(app, deviceId, "000001");
    const { commandId: id } = await aboutToPay(world, app);
    app.announce(deviceId, { link: "down" });
    const cable = await registerDevice(shop.till, { ...NOWHERE, port: 10 }, "Cable");
    const first = await world.app("other", "1");
    await at(first, cable, "000001");
    expect(await first.next("command.resolve")).toMatchObject({ command: { id } });
    // It is started anew, and nothing of before is left in it.
    const again = await world.app("other", "1");
    const { epoch } = await again.next("command.resolve");
    await at(again, cable, "000001");
    const notPrinted = { success: false, errorCode: "E102", data: { outcome: "not_printed" } };
    again.say({ type: "command.result", commandId: id, epoch, result: notPrinted });
    expect(endOf(await shop.till.wait(id))).toMatchObject({ outcome: "not_printed" });
  }));
