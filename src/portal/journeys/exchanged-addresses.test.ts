/** Two printers whose router gave each the address of the other: put right on the page of one. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Shop } from "../../e2e/harness/gateway.ts";
import { type SimulatedPrinter, startPrinter } from "../../e2e/harness/simulator.ts";
import { until } from "../../e2e/harness/until.ts";
import { browsers, faultsForReaders } from "./browser.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import { addPrinter, order, sell } from "./shop.ts";

const COFFEE = { name: "Coffee", price: 2.5 };
const TEA = { name: "Tea", price: 1.5 };

describe.each(browsers())("two printers that have exchanged their addresses", (path) => {
  let opened: OpenShop;
  let shop: Shop;
  let counter: string;
  let hall: string;
  let moved: readonly SimulatedPrinter[] = [];

  beforeAll(async () => {
    opened = await openShop(path);
    ({ shop, device: counter } = opened);
    const other = await addPrinter(opened.box, shop, "Hall");
    hall = other.device;
    // Each has told its number.
    for (const device of [counter, hall]) await sell(shop, device, { name: "Water", price: 1 });
    const [one, two] = [opened.printer, other.printer];
    await Promise.all([one.kill(), two.kill()]);
    const move = ({ stateFile, number }: SimulatedPrinter, { host, port }: SimulatedPrinter) =>
      startPrinter({ stateFile, place: { host, port, number } });
    moved = await Promise.all([move(one, two), move(two, one)]);
  });
  afterAll(async () => {
    await Promise.all(moved.map((printer) => printer.kill()));
    await opened?.close();
  });

  const serialOf = async (device: string) =>
    (await shop.owner.expect<{ serialNumber: string }>("GET", `/devices/${device}`)).serialNumber;
  const status = (device: string) =>
    shop.owner.expect<{ effectiveStatus: string; otherPrinter: object | null }>(
      ...(["GET", `/devices/${device}/status`] as const),
    );
  const itemsOf = async (printer: SimulatedPrinter | undefined) =>
    (await printer?.books())?.receipts.flatMap(({ items }) => items.map(({ name }) => name));

  test("are told of on Today, print nothing, and print where they were sent to once put right", async () => {
    const { page, box } = opened;
    const name = (wanted: string) => page.locator("main article").filter({ hasText: wanted });
    await page.goto(box.gateway.url);
    for (const wanted of ["Counter", "Hall"]) {
      await name(wanted).getByText("Another printer", { exact: true }).waitFor();
    }
    const till = await order(shop.till, counter, [COFFEE]);
    await name("Counter").getByRole("link", { name: "What to do" }).click();
    const card = page.getByRole("region", { name: "Another printer stands here" });
    await card
      .locator("dd")
      .filter({ hasText: await serialOf(hall) })
      .waitFor();
    await card.getByRole("link", { name: "Hall", exact: true }).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await card.getByRole("button", { name: "Exchange addresses" }).click();
    const dialog = page.getByRole("dialog", {
      name: "Exchange the addresses of Counter and Hall?",
    });
    expect(await faultsForReaders(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Exchange addresses" }).click();
    const told = /^Counter and Hall have exchanged their addresses\.$/;
    await page.locator(":focus").filter({ hasText: told }).waitFor();
    expect(await card.count()).toBe(0);
    expect(await faultsForReaders(page)).toEqual([]);
    await page.getByRole("link", { name: "Today" }).first().click();
    for (const wanted of ["Counter", "Hall"]) {
      await name(wanted).getByText("Ready", { exact: true }).waitFor();
    }
    expect((await shop.till.wait(till.id)).status).toBe("completed");
    expect((await sell(shop, hall, TEA)).status).toBe("completed");
    expect(await Promise.all(moved.map(itemsOf))).toEqual([
      ["Water", "Coffee"],
      ["Water", "Tea"],
    ]);
    await until("both to be what they were", async () => {
      const known = await Promise.all([counter, hall].map(status));
      return known.every((one) => one.effectiveStatus === "online" && one.otherPrinter === null);
    });
  });
});
