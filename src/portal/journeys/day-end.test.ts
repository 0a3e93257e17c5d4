/** The end of a day, in a browser: cash is counted, the day closed, the accountant served. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import type { Shop } from "../../e2e/harness/gateway.ts";
import type { SimulatedPrinter } from "../../e2e/harness/simulator.ts";
import { browsers, faultsForReaders } from "./browser.ts";
import { pressOn } from "./keyboard.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import { type Box, sell } from "./shop.ts";

describe.each(browsers())("the end of a day", (path) => {
  let opened: OpenShop;
  let box: Box;
  let page: Page;
  let printer: SimulatedPrinter;
  let complaints: readonly string[];
  let shop: Shop;
  let device: string;

  beforeAll(async () => {
    opened = await openShop(path);
    ({ box, page, complaints, shop, printer, device } = opened);
  });
  afterAll(() => opened?.close());
  /** A day of one sale, which is closed by what was asked of the printer before. */
  async function sellInNewDay(name: string, price: number): Promise<void> {
    await shop.till.wait((await shop.till.submit(device, "z_report")).id);
    await sell(shop, device, { name, price });
  }
  const toActions = () => page.goto(`${box.gateway.url}/printers/${device}/actions`);
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  test("takes cash out by the keys alone", async () => {
    await sell(shop, device, { name: "Coffee", price: 10 });
    const { cash } = await printer.books();
    await toActions();
    await pressOn(page, button("Cash out"));
    await page.getByLabel("Amount").pressSequentially("6.50");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText("Printed", { exact: true }).waitFor();
    expect((await printer.books()).cash).toBe(cash - 650);
  });

  test("tells what is in the drawer by the printer's own word, also of other hands' sales", async () => {
    const inDrawer = async () =>
      `€${((await printer.books()).cash / 100).toFixed(2)} in the drawer`;
    await sell(shop, device, { name: "Coffee", price: 2.5 });
    await printer.fault({ kind: "other_hands", deed: "ring_up", amountMinor: 700 });
    // As it is some minutes after the printer was asked last.
    await page.route("**/api/v1/today", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(
        /("cash":\{"amount":[\d.]+,"currency":"EUR","at":)"[^"]+"/g,
        '$1"2026-01-01T10:00:00.000Z"',
      );
      await route.fulfill({ response, body });
    });
    const asked = async () => {
      const path = "/commands?type=get_cash_amount&status=completed";
      return (await shop.owner.expect<{ commands: object[] }>("GET", path)).commands.length;
    };
    const before = await asked();
    await page.goto(box.gateway.url);
    await page.getByText(await inDrawer()).waitFor();
    // Once, however often the page reads anew what stands here.
    await sell(shop, device, { name: "Coffee", price: 2.5 });
    await page.getByText("€15.00", { exact: true }).first().waitFor();
    expect(await asked()).toBe(before + 1);
    await page.unrouteAll({ behavior: "wait" });
  });

  test("begins another day by itself, where nothing is sold at night", async () => {
    const yesterday = { from: "2026-01-14T22:00:00.000Z", to: "2026-01-15T22:00:00.000Z" };
    await page.route("**/api/v1/today", async (route) => {
      const today = await (await route.fetch()).json();
      await route.fulfill({ json: { ...today, day: yesterday } });
    });
    await page.goto(box.gateway.url);
    await page.getByText("Thursday 15 January").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await page.getByText("Thursday 15 January").waitFor({ state: "detached" });
  });

  test("says of an X report whose it is, and in which currency", async () => {
    await shop.till.wait((await shop.till.submit(device, "x_report")).id);
    const { reports } = await shop.owner.expect<{ reports: { id: string }[] }>(
      ...(["GET", "/reports?type=x_report&limit=1"] as const),
    );
    await page.goto(`${box.gateway.url}/reports/${reports[0]?.id}`);
    await page.getByRole("heading", { name: "Counter", level: 2 }).waitFor();
    await page.getByRole("columnheader", { name: "EUR", exact: true }).waitFor();
  });

  test("shows on an open page what a printer proves later of a report and of a receipt", async () => {
    await sell(shop, device, { name: "Coffee", price: 2.5 });
    const { receipts } = await shop.owner.expect<{ receipts: { id: string; fiscalId: string }[] }>(
      ...(["GET", "/receipts?limit=1"] as const),
    );
    const { reports } = await shop.owner.expect<{ reports: { id: string }[] }>(
      ...(["GET", "/reports?type=x_report&limit=1"] as const),
    );
    const [{ id: receipt, fiscalId } = { id: "", fiscalId: "" }] = receipts;
    const [{ id: report } = { id: "" }] = reports;
    const figures = page.getByRole("row", { name: /^Sales/ });
    const title = page.getByRole("heading", { name: `Receipt ${fiscalId}`, level: 1 });
    // As it is where a person has said that it was printed, and did not know more.
    const unknown: readonly (readonly [string, string, object, Locator])[] = [
      ["reports", report, { totals: { gross: null } }, figures],
      ["receipts", receipt, { fiscalId: null }, title],
    ];
    for (const [kind, id, what, shown] of unknown) {
      const one = kind.slice(0, -1);
      const pattern = `**/api/v1/${kind}/${id}`;
      await page.route(pattern, async (route) => {
        const answer = await (await route.fetch()).json();
        await route.fulfill({ json: { [one]: { ...answer[one], ...what } } });
      });
      await page.goto(`${box.gateway.url}/${kind}/${id}`);
      await page.locator("main pre").waitFor();
      expect(await shown.count()).toBe(0);
      await page.unrouteAll({ behavior: "wait" });
      await shop.till.wait((await shop.till.submit(device, "x_report")).id);
      await shown.waitFor();
    }
  });

  test("tells of cash that is under way behind a reload and on another page, and how it ended", async () => {
    const { cash } = await printer.books();
    const other = await opened.context.newPage();
    await toActions();
    await other.goto(page.url());
    await other.getByRole("button", { name: "Cash in", exact: true }).waitFor();
    await button("Cash in").click();
    await page.getByLabel("Amount").fill("20");
    await printer.fault({ kind: "hold", count: 1 });
    await page.keyboard.press("Enter");
    const working = "The printer is working on it.";
    await page.getByText(working).waitFor();
    await page.reload();
    for (const one of [page, other]) await one.getByText(working).waitFor();
    await printer.release();
    for (const one of [page, other]) await one.getByText("Printed", { exact: true }).waitFor();
    expect((await printer.books()).cash).toBe(cash + 2_000);
    await other.close();
  });

  test("shows what is in the day before it is closed, and then beside its Z report", async () => {
    await sellInNewDay("Cake", 12.35);
    const { zNumber } = await printer.books();
    await toActions();
    await button("Make the Z report").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("€12.35").first().waitFor();
    expect((await printer.books()).zNumber).toBe(zNumber);
    await dialog.getByRole("button", { name: "Print the Z report" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Printed", { exact: true }).waitFor();
    expect((await printer.books()).zNumber).toBe(zNumber + 1);
    await page.getByRole("link", { name: "Reports of today" }).click();
    await page.getByText("agrees with the receipts stored here").first().waitFor();
    await page.getByRole("link", { name: "Reports", exact: true }).first().click();
    await page.getByText(new RegExp(`^${zNumber + 1} Z reports? made`)).waitFor();
  });

  test("follows in the open question what is sold meanwhile, and that somebody else closes the day", async () => {
    await sellInNewDay("Cake", 12.35);
    await toActions();
    await button("Make the Z report").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("€12.35").first().waitFor();
    await sell(shop, device, { name: "Tea", price: 1.2 });
    await dialog.getByText("€13.55").first().waitFor();
    await shop.till.wait((await shop.till.submit(device, "z_report")).id);
    await dialog.getByText("The day has just been closed").waitFor();
    await dialog.getByText("€0.00").first().waitFor();
    expect(await page.getByText("The box could not show this").count()).toBe(0);
    expect(await faultsForReaders(page)).toEqual([]);
    await page.keyboard.press("Escape");
  });

  test("is closed once where it is asked for on another page meanwhile", async () => {
    await sellInNewDay("Cake", 2.5);
    const { zNumber } = await printer.books();
    await toActions();
    const other = await opened.context.newPage();
    await other.goto(page.url());
    for (const one of [page, other]) {
      await one.getByRole("button", { name: "Make the Z report", exact: true }).click();
      await one.getByRole("dialog").getByText("€2.50").first().waitFor();
    }
    await printer.fault({ kind: "hold", count: 1 });
    await page.getByRole("button", { name: "Print the Z report" }).click();
    const dialog = other.getByRole("dialog");
    await dialog.getByText("The Z report of this printer is being made already.").waitFor();
    const print = dialog.getByRole("button", { name: "Print the Z report" });
    expect(await print.isDisabled()).toBe(true);
    await printer.release();
    await dialog.getByText("The day has just been closed").waitFor();
    expect((await printer.books()).zNumber).toBe(zNumber + 1);
    await other.close();
  });

  test("is told where the Z report is made that it differs from what is stored", async () => {
    // Where it stands it is another date than in the shop.
    const timezone = shopHour() < 12 ? "Pacific/Pago_Pago" : "Pacific/Kiritimati";
    const { location } = await shop.owner.expect<{ location: { id: string } }>(
      ...(["POST", "/org/locations", { name: "Far away", timezone }] as const),
    );
    const path = `/devices/${device}`;
    const { locationId } = await shop.owner.expect<{ locationId: string }>("GET", path);
    await shop.owner.expect("PATCH", path, { locationId: location.id });
    await sellInNewDay("Pie", 3);
    await printer.fault({ kind: "other_hands", deed: "ring_up", amountMinor: 970, when: "after" });
    await shop.till.wait((await shop.till.submit(device, "get_status")).id);
    await toActions();
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: timezone }).format(new Date());
    await page.locator(`main a[href="/reports/${today}?printer=${device}"]`).waitFor();
    await button("Make the Z report").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Print the Z report" }).click();
    await dialog.waitFor({ state: "detached" });
    await page
      .getByText(/the Z report and the receipts stored here differ\..*€9\.70 more/)
      .waitFor();
    // On the first page too, until somebody has looked.
    await page.goto(box.gateway.url);
    const differsOn = (one: Page) =>
      one.getByText(/the Z report and the receipts stored here differ\./);
    const differs = differsOn(page);
    await differs.waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    const { page: other, context } = await opened.openAs();
    await other.clock.install();
    // No event tells of it, and what else happens would have it read again. One was heard already, from which
    // a stream goes on that fell silent.
    await other.routeWebSocket(/\/api\/v1\/events\?/, (stream) =>
      stream.send('{"id":"evt_heard","type":"nothing"}'),
    );
    await other.goto(box.gateway.url);
    await differsOn(other).waitFor();
    await other.locator('[data-reach="live"]').waitFor();
    await page.getByRole("link", { name: "Compare" }).click();
    await page.getByRole("heading", { name: "Daily closing (Z)", level: 1 }).waitFor();
    await page.getByText("Was something sold at the printer itself").first().waitFor();
    await page.getByText(/^Looked at by you: /).waitFor();
    await other.clock.fastForward(60_000);
    await differsOn(other).waitFor({ state: "detached" });
    await context.close();
    await page.goto(box.gateway.url);
    await page.getByRole("link", { name: /^Counter/ }).waitFor();
    expect(await differs.count()).toBe(0);
    await shop.owner.expect("PATCH", path, { locationId });
  });

  test.each([
    ["Receipts, table (CSV)", "csv", "Coffee"],
    ["Receipts, data (JSON)", "json", '"Coffee"'],
    ["Journal (XML)", "xml", "</journal>"],
  ])("saves %s", async (name, ending, part) => {
    await sell(shop, device, { name: "Coffee", price: 2.5 });
    await page.goto(`${box.gateway.url}/reports`);
    const [download] = await Promise.all([page.waitForEvent("download"), button(name).click()]);
    expect(download.suggestedFilename()).toEndWith(`.${ending}`);
    expect(readFileSync(await download.path(), "utf8")).toContain(part);
  });

  test("is closed by the keys alone, too", async () => {
    await sellInNewDay("Tea", 1.2);
    const { zNumber } = await printer.books();
    await page.goto(box.gateway.url);
    await page.getByText("Ready", { exact: true }).waitFor();
    await page.keyboard.press("Control+k");
    await page.locator('input[role="combobox"]').waitFor();
    await page.keyboard.type("Counter");
    await page.getByRole("option", { name: "Counter", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await pressOn(page, page.getByRole("link", { name: "Actions", exact: true }));
    const dialog = page.getByRole("dialog");
    await pressOn(page, button("Print the duplicate"));
    await pressOn(page, dialog.getByRole("button", { name: "Print the duplicate" }));
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Printed", { exact: true }).waitFor();
    await pressOn(page, button("Make the Z report"));
    await dialog.getByText("€1.20").first().waitFor();
    await pressOn(page, dialog.getByRole("button", { name: "Print the Z report" }));
    await dialog.waitFor({ state: "detached" });
    await page
      .getByRole("region", { name: "Daily closing (Z)" })
      .getByText("Printed", { exact: true })
      .waitFor();
    expect((await printer.books()).zNumber).toBe(zNumber + 1);
    await pressOn(page, page.getByRole("link", { name: "Reports of today" }));
    await page.getByText("agrees with the receipts stored here").first().waitFor();
    const reports = await shop.owner.expect<{ reports: object[] }>("GET", "/reports?type=z_report");
    expect(reports.reports).toHaveLength(zNumber + 1);
    const duplicates = "/commands?type=print_duplicate&status=completed";
    const { commands } = await shop.owner.expect<{ commands: object[] }>("GET", duplicates);
    expect(commands).toHaveLength(1);
  });

  // The last one: from here on there are Z reports that are not stored.
  test("names the Z report that another program has made, on its day and in the month", async () => {
    await shop.till.wait((await shop.till.submit(device, "z_report")).id);
    await printer.fault({ kind: "other_hands", deed: "z_report", when: "after" });
    await shop.till.wait((await shop.till.submit(device, "get_status")).id);
    await sell(shop, device, { name: "Tea", price: 1.2 });
    await shop.till.wait((await shop.till.submit(device, "z_report")).id);
    const { zNumber } = await printer.books();
    const sentence = `Z report ${zNumber - 1} is not stored here.`;
    await page.goto(`${box.gateway.url}/reports`);
    await page.getByText("1 more Z report is not stored here.").waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await page.getByRole("link", { name: new RegExp(sentence) }).click();
    await page.getByText(sentence).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
  });

  test("never broke its own rules on the way", () => {
    expect(complaints).toEqual([]);
  });
});

/** By the clocks of the shop, which stands in Sofia. */
function shopHour(): number {
  const hour = { hour: "numeric", hourCycle: "h23", timeZone: "Europe/Sofia" } as const;
  return Number(new Intl.DateTimeFormat("en", hour).format());
}
