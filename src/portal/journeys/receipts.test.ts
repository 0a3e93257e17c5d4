/** Receipts in a browser: found, taken back in part, and one in doubt that a person settles. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Shop } from "../../e2e/harness/gateway.ts";
import { until } from "../../e2e/harness/until.ts";
import { browsers, faultsForReaders } from "./browser.ts";
import { pressOn, tabTo } from "./keyboard.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import { addPrinter, type Box, order, sell, sellInDoubt } from "./shop.ts";
import { hold } from "./staging.ts";

/** The first sale there is: on its printer it has the number 1. */
const COFFEE = { name: "Coffee", price: 2.5, quantity: 3 };
const TARTS = { name: "Tart", price: 2.8, quantity: 3 };

interface Listed {
  readonly receipts: readonly {
    readonly id: string;
    readonly type: string;
    readonly total: number;
    readonly originalReceiptId: string | null;
  }[];
}

describe.each(browsers())("the portal of a shop that sells", (path) => {
  /** The shop's only printer, and whatever else there is. */
  let counter: OpenShop;
  let box: Box;
  let page: Page;
  let complaints: readonly string[];
  let shop: Shop;

  beforeAll(async () => {
    counter = await openShop(path);
    ({ box, page, complaints, shop } = counter);
    await sell(shop, counter.device, COFFEE);
  });
  afterAll(() => counter?.close());
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const link = (name: string | RegExp) => page.getByRole("link", { name });
  const heading = (name: string) => page.getByRole("heading", { name, level: 1 }).waitFor();

  /** The number that the printer gave last. */
  const lastNumber = async () => (await counter.printer.books()).receipts.at(-1)?.number ?? 0;
  /** The receipts here that a search of the gateway finds, newest first. */
  const listed = async (query: string) => (await shop.owner.expect<Listed>("GET", query)).receipts;
  /** Sells what can be taken back in parts, and opens it. @returns its id and its number */
  async function openSale() {
    await sell(shop, counter.device, TARTS);
    const [sale] = await listed("/receipts?type=sale&limit=1");
    const { id = "" } = sale ?? {};
    await page.goto(`${box.gateway.url}/receipts/${id}`);
    return { id, number: await lastNumber() };
  }

  /** What counts today, by the gateway. */
  async function today() {
    const { sales } = await shop.owner.expect<{
      sales: { totals: { net: number; receiptCount: number; reversalCount: number }[] };
    }>("GET", "/today");
    const { net = 0, receiptCount = 0, reversalCount = 0 } = sales.totals[0] ?? {};
    return { net, receiptCount, reversalCount };
  }
  const counted = ({ receiptCount, reversalCount }: Record<string, number>) =>
    [
      receiptCount === 1 ? "1 receipt" : `${receiptCount} receipts`,
      reversalCount === 1 ? "1 reversal" : `${reversalCount} reversals`,
    ].join(", ");

  test("lists its receipts by day, and keeps what is new behind a pill", async () => {
    await page.goto(`${box.gateway.url}/receipts`);
    await page.getByText("Coffee").waitFor();
    await sell(shop, counter.device, { name: "Tea", price: 1.2 });
    await button("1 new").waitFor();
    expect(await page.getByText("Tea").count()).toBe(0);
    await button("1 new").click();
    await page.getByText("Tea").waitFor();
    const sums = (await listed("/receipts?limit=100")).map(({ type, total }) =>
      type === "storno" ? -total : total,
    );
    const sum = sums.reduce((left, right) => left + right);
    await page.getByText(`€${sum.toFixed(2)}`).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
  });

  test("finds a receipt by its amount, and keeps the search in the address", async () => {
    await sell(shop, counter.device, { name: "Lemon", price: 9.35 });
    const number = await lastNumber();
    await page.goto(`${box.gateway.url}/receipts`);
    await page.getByText("Coffee").waitFor();
    await page.getByRole("searchbox").fill("9,35");
    await page.getByText("Coffee").waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?q=9%2C35");
    await link(/Lemon/).click();
    await heading(`Receipt ${number}`);
    expect(await faultsForReaders(page)).toEqual([]);
  });

  test("keeps the days of a period while they are typed, and says them in words", async () => {
    await page.goto(`${box.gateway.url}/receipts?period=2026-11-01..2026-11-30`);
    const [first, last] = [page.getByLabel("First day"), page.getByLabel("Last day")];
    await page.getByText("1 November 2026", { exact: true }).waitFor();
    // The last day is moved back before the first is: no list is asked for what is none.
    await last.fill("2026-10-31");
    await page.getByText("The last day is before the first.").waitFor();
    expect(new URL(page.url()).search).toBe("?period=2026-11-01..2026-11-30");
    await first.fill("2026-10-01");
    await page.waitForURL(/period=2026-10-01\.\.2026-10-31/);
    await page.getByText("31 October 2026", { exact: true }).waitFor();
    // One digit of the year, and then none of the day at all.
    await last.fill("0002-10-31");
    await last.fill("");
    expect(await last.isVisible()).toBe(true);
    expect(await first.inputValue()).toBe("2026-10-01");
    expect(new URL(page.url()).search).toBe("?period=2026-10-01..2026-10-31");
    expect(await faultsForReaders(page)).toEqual([]);
  });

  test("finds a receipt by its number among all whose numbers have the same digit", async () => {
    // Each sale's own number has a 1 in it.
    await sell(shop, counter.device, { name: "Plum", price: 13.7 });
    const number = await lastNumber();
    await page.goto(`${box.gateway.url}/receipts?q=1`);
    // Two printers may have one of that number; no sale here comes to 1.00.
    const found = page.getByRole("region", { name: "Exactly 1" }).getByRole("listitem");
    await found.filter({ hasText: "no. 1 · Counter" }).waitFor();
    expect(await found.filter({ hasNot: page.getByText(/no\. 1$|no\. 1\s·/) }).count()).toBe(0);
    // Who else was found says by what.
    await page.getByText(/no\. 2\s· Counter\s· DT000600-0001-\d{7}/).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Search" }).fill("1");
    const option = page.getByRole("option", { name: /^Receipt \d/ });
    await option.filter({ hasText: /^Receipt 1 · €7\.50/ }).waitFor();
    expect(await option.filter({ hasNotText: /^Receipt \d*1\d* · / }).count()).toBe(0);
    await page.getByRole("combobox", { name: "Search" }).fill("13,7");
    await page.getByRole("option", { name: `Receipt ${number} · €13.70` }).waitFor();
    const known = await shop.owner.expect<{ serialNumber: string }>(
      "GET",
      `/devices/${counter.device}`,
    );
    await page.getByRole("combobox", { name: "Search" }).fill(known.serialNumber);
    // Not those of the filter below; the printers of this shop have the same one.
    await page
      .locator("[role=option]", { hasText: /^Counter$/ })
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await page.goto(`${box.gateway.url}/receipts?q=13.7`);
    await page.getByRole("region", { name: "Exactly 13.7" }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.getByText("No receipt fits").count()).toBe(0);
    await page.goto(`${box.gateway.url}/receipts?q=7%2C50`);
    await link(/Coffee/).click();
    await heading("Receipt 1");
  });

  test("finds what stands on the page as it is written there, and people and keys by name", async () => {
    await sell(shop, counter.device, { name: "Pear", price: 24.21 });
    const number = await lastNumber();
    for (const typed of [`no. ${number}`, `№ ${number}`, "€24.21", "24,21 EUR", "-24,21"]) {
      await page.goto(`${box.gateway.url}/receipts?q=${encodeURIComponent(typed)}`);
      await link(/Pear/).first().waitFor();
      await page.keyboard.press("/");
      const field = page.getByRole("combobox", { name: "Search" });
      await field.fill(typed);
      await page.getByRole("option", { name: `Receipt ${number} · €24.21` }).waitFor();
      await page.keyboard.press("Escape");
    }
    const { user } = await shop.owner.expect<{ user: { name: string } }>("GET", "/auth/me");
    await page.keyboard.press("/");
    const field = page.getByRole("combobox", { name: "Search" });
    await field.fill(user.name);
    await page.getByRole("option", { name: `${user.name} · People` }).waitFor();
    const [key] = await shop.owner.expect<{ label: string }[]>("GET", "/org/api-keys");
    await field.fill(key?.label ?? "");
    await page.getByRole("option", { name: `${key?.label} · Keys` }).waitFor();
    // Nearly everything has this letter.
    await field.fill("e");
    await page.getByText("There is more").waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
  });

  test("does not call known what is at a printer that does not answer", async () => {
    await page.route("**/api/v1/today", async (route) => {
      const response = await route.fetch();
      const today = await response.json();
      const [{ device }] = today.devices;
      device.effectiveStatus = "offline";
      const since = new Date().toISOString();
      const doing = { commandId: "cmd_1", type: "print_receipt", status: "processing", since };
      await route.fulfill({
        response,
        json: { ...today, devices: [{ ...today.devices[0], doing }] },
      });
    });
    await page.goto(`${box.gateway.url}/receipts?doubtful=1`);
    await page.getByText("At Counter something is not finished").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Counter" }).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await page.unrouteAll({ behavior: "wait" });
    await page.reload();
    await page.getByText("Of every receipt it is known").waitFor();
  });

  test("takes a part of a sale back, and no more than what is left", async () => {
    const { number } = await openSale();
    await link("Reversal").click();
    await page.getByText("€8.40 of €8.40 can still be reversed.").waitFor();
    const amount = page.getByLabel(/Tart/).and(page.getByRole("textbox"));
    await amount.fill("5");
    await page.getByText("There are no more than 3.").waitFor();
    expect(await amount.inputValue()).toBe("3");
    await amount.fill("1");
    await page.getByLabel("Return or complaint").check();
    expect(await faultsForReaders(page)).toEqual([]);
    await button("Print the reversal").click();
    await page.getByRole("dialog").getByRole("button", { name: "Print the reversal" }).click();
    await page.getByText(`Printed, number ${number + 1}.`).waitFor();
    await page.getByText("€5.60 of €8.40 can still be reversed.").waitFor();
    await button("Everything that is left").click();
    await page.getByText("Goes back: €5.60").waitFor();
    const { receipts } = await counter.printer.books();
    expect(receipts.at(-1)).toMatchObject({ kind: "storno", total: 280 });
    await link("Back to the receipt").click();
    await page.getByText("€2.80 reversed").waitFor();
  });

  test("takes halves back that come to what was sold, and then nothing more", async () => {
    await sell(shop, counter.device, { name: "Nuts", price: 4.99 });
    const [{ id = "" } = {}] = await listed("/receipts?type=sale&limit=1");
    await page.goto(`${box.gateway.url}/receipts/${id}/reversal`);
    const amount = page.getByLabel(/Nuts/).and(page.getByRole("textbox"));
    let number = await lastNumber();
    const print = async (goesBack: string) => {
      await page.getByText(`Goes back: ${goesBack}`).waitFor();
      await page.getByLabel("Return or complaint").check();
      await button("Print the reversal").click();
      await page.getByRole("dialog").getByRole("button", { name: "Print the reversal" }).click();
      number += 1;
      await page.getByText(`Printed, number ${number}.`).waitFor();
    };
    await amount.fill("0.5");
    await print("€2.50");
    await page.getByText("€2.49 of €4.99 can still be reversed.").waitFor();
    await button("Everything that is left").click();
    await print("€2.49");
    await page.getByText("Nothing is left to reverse").waitFor();
    // What is reserved is not left either: the second one may still be printing.
    const sums = await until("both reversals", async () => {
      const stored = await listed(`/receipts?originalReceiptId=${id}`);
      return stored.length > 1 && stored.map(({ total }) => total);
    });
    expect(sums.toSorted()).toEqual([2.49, 2.5]);
    expect((await counter.printer.books()).receipts.slice(-2)).toMatchObject([
      { kind: "storno", total: 250 },
      { kind: "storno", total: 249 },
    ]);
  });

  test("takes all of a sale back by the keys alone, and then offers nothing more", async () => {
    const { id, number } = await openSale();
    await pressOn(page, link("Reversal"));
    await button("Everything that is left").waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
    await pressOn(page, button("Everything that is left"));
    await page.getByText("Goes back: €8.40").waitFor();
    await tabTo(page, page.locator('main input[type="radio"]').first());
    await page.keyboard.press("Space");
    await pressOn(page, button("Print the reversal"));
    const dialog = page.getByRole("dialog");
    await pressOn(page, dialog.getByRole("button", { name: "Print the reversal" }));
    await page.getByText(`Printed, number ${number + 1}.`).waitFor();
    await page.getByText("Nothing is left to reverse").waitFor();
    const { receipts } = await counter.printer.books();
    expect(receipts.at(-1)).toMatchObject({ kind: "storno", total: 840 });
    await link("Back to the receipt").first().click();
    await page.getByText("Nothing is left to reverse").waitFor();
    expect(await link("Reversal").count()).toBe(0);
    // Nor before it is known that nothing is left.
    await page.route(/\/receipts\?.*originalReceiptId=/, hold);
    await page.reload();
    await page.getByRole("button", { name: "Reversal", disabled: true }).waitFor();
    expect(await link("Reversal").count()).toBe(0);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    const known = await listed("/receipts?type=storno");
    expect(known.filter(({ originalReceiptId }) => originalReceiptId === id)).toHaveLength(1);
  });

  test("counts reversals apart from receipts, and calls each by its name", async () => {
    const { id } = await openSale();
    await link("Reversal").click();
    await button("Everything that is left").click();
    await page.getByLabel("Return or complaint").check();
    await button("Print the reversal").click();
    await page.getByRole("dialog").getByRole("button", { name: "Print the reversal" }).click();
    await page.getByText(/^Printed, number \d+\.$/).waitFor();
    const number = await lastNumber();
    const { net, ...counts } = await today();
    await page.goto(`${box.gateway.url}/receipts`);
    await page.getByText(counted(counts), { exact: true }).waitFor();
    await page.getByText("Reversal", { exact: true }).first().waitFor();
    await page.goto(box.gateway.url);
    await page
      .getByText(`€${net.toFixed(2)}`, { exact: true })
      .first()
      .waitFor();
    await page.getByText("on average, before what went back").waitFor();
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Search" }).fill(String(number));
    await page.getByRole("option", { name: `Reversal ${number} · -€8.40` }).click();
    expect(page.url()).not.toContain(id);
  });

  test("tells whose answer came too late that it does not count", async () => {
    const { id } = await sellInDoubt(shop, counter, { name: "Bun", price: 2.2 });
    await page.goto(`${box.gateway.url}/doubtful/${id}`);
    await page.getByText(/^The printer said so on /).waitFor();
    await button("Yes, it is printed").click();
    await page.getByLabel("Number of the receipt").fill(String((await lastNumber()) - 1));
    await page.route("**/resolve", async (route) => {
      // Somebody else, who is a moment quicker.
      await shop.owner.expect("POST", `/commands/${id}/resolve`, { outcome: "not_printed" });
      await route.continue();
    });
    await page.keyboard.press("Enter");
    await page.getByText(/^Not printed, according to/).waitFor();
    await page.getByText("Your answer did not count: this one came first.").waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await page.unrouteAll({ behavior: "wait" });
  });

  test("asks whether a doubtful receipt came out, and goes on with the answer", async () => {
    const doubtful = await sellInDoubt(shop, counter, { name: "Cake", price: 4 });
    expect(doubtful.result?.data).toMatchObject({
      ...{ outcome: "unknown", doubt: { code: "other_number" } },
    });
    const waiting = await order(shop.till, counter.device, [{ name: "Milk", price: 1.4 }]);
    await page.goto(box.gateway.url);
    await page.getByText("Receipt of €4.00 at Counter").waitFor();
    await link("Settle").click();
    await heading("Did this receipt come out of the printer?");
    await page.getByText(/^The printer has reached document \d+; this one would be/).waitFor();
    // As it is where somebody called it not printed, and the printer shows it open.
    const alerts = "**/api/v1/devices/alerts";
    await page.route(alerts, async (route) => {
      const response = await route.fetch();
      const type = '"type":"outcome_unknown"';
      const body = (await response.text()).replace(type, `${type},"standsOpen":true`);
      await route.fulfill({ response, body });
    });
    await page.reload();
    await page.getByText(/it still stands open at the printer, which can only finish it/).waitFor();
    await button("No").click();
    await page.getByText("The receipt stays open at the printer").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await page.reload();
    await button("I can't tell: show me how to find out").click();
    await button("Ask the printer").click();
    await page.getByText("comes to €4.00").waitFor();
    await page.getByText("That is another one: its number or amount").waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    // Of a printer that does not say which of its papers was a receipt.
    const asked = /\/last-receipt$/;
    await page.route(asked, async (route) => {
      const response = await route.fetch();
      const told = JSON.parse(await response.text());
      told.lastReceipt.receiptNumber = null;
      told.indicates = "since";
      await route.fulfill({ response, body: JSON.stringify(told) });
    });
    await button("Ask the printer").click();
    await page.getByText(/^Its last paper has number \d+/).waitFor();
    await page.getByText("A receipt or another paper has come since").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await button("Ask the printer").click();
    await page.getByText("comes to €4.00").waitFor();
    await button("Back to the answers").click();
    await button("Yes, it is printed").click();
    const { receipts } = await counter.printer.books();
    const number = String(receipts.at(-2)?.number);
    await page.getByLabel("Number of the receipt").fill("1");
    await button("It is printed").click();
    await page.getByText("the number belongs to another receipt").waitFor();
    await page.getByLabel("Number of the receipt").fill("5000");
    await button("It is printed").click();
    await page
      .getByText(/^The printer had only reached number \d+ when it was last asked/)
      .waitFor();
    // Of the next one, which was rung up by hand.
    await page.getByLabel("Number of the receipt").fill(String(receipts.at(-1)?.number));
    await page.keyboard.press("Enter");
    await page.getByText("Printed, according to you").waitFor();
    await button("Correct the number").click();
    await page.getByLabel("Number of the receipt").fill("1");
    await page.keyboard.press("Enter");
    await page.getByText(/^The number stays as it is\./).waitFor();
    // As it stands on paper.
    await page.getByLabel("Number of the receipt").fill(number.padStart(7, "0"));
    await page.keyboard.press("Enter");
    await page.getByText(`no. ${number}`, { exact: true }).waitFor();
    const { command } = await shop.owner.expect<{ command: object }>(
      "GET",
      `/commands/${doubtful.id}`,
    );
    expect(command).toMatchObject({ resolution: { fiscalId: number } });
    expect(await faultsForReaders(page)).toEqual([]);
    expect((await shop.till.wait(waiting.id)).status).toBe("completed");
  });

  test("takes a cashier's no by the keys alone, too, and says who said it", async () => {
    const cashier = { email: "ion@shop.example", password: "a long enough password" };
    await shop.owner.expect("POST", "/org/members", { ...cashier, name: "Ion", role: "operator" });
    const doubtful = await sellInDoubt(shop, counter, { name: "Pie", price: 3 });
    const theirs = await counter.openAs(cashier);
    await theirs.page.goto(`${box.gateway.url}/receipts?doubtful=1`);
    await pressOn(theirs.page, theirs.page.getByRole("link", { name: "Settle" }));
    await pressOn(theirs.page, theirs.page.getByRole("button", { name: "No", exact: true }));
    const dialog = theirs.page.getByRole("dialog");
    await pressOn(theirs.page, dialog.getByRole("button", { name: "It is not printed" }));
    await theirs.page.getByText("Not printed, according to you").waitFor();
    // Setting the shop up is not a cashier's: nothing of it is offered.
    for (const step of ["printer", "test", "key", "safety"]) {
      await theirs.page.goto(`${box.gateway.url}/setup/${step}`);
      await theirs.page.getByText("You may not see this").waitFor();
      expect(await theirs.page.getByRole("textbox").count()).toBe(0);
    }
    await page.goto(`${box.gateway.url}/doubtful/${doubtful.id}`);
    await page.getByText("Not printed, according to Ion").waitFor();
    expect(theirs.complaints).toEqual([]);
  });

  test("tells what happened with everything that was asked of its printers", async () => {
    const { id } = await sellInDoubt(shop, counter, { name: "Roll", price: 1.6 });
    await shop.owner.expect("POST", `/commands/${id}/resolve`, { outcome: "not_printed" });
    await page.goto(`${box.gateway.url}/doubtful/${id}`);
    await link("What happened").click();
    await page.getByText("The printer could not say whether it was printed").waitFor();
    // The shop changes its currency: what was sold before keeps its own, and takes no later name.
    await shop.owner.expect("PATCH", "/org", { currency: "USD", name: "Cake House" });
    await page.reload();
    await page.getByText("TOTAL EUR").waitFor();
    await page.getByRole("banner").getByText("Cake House").waitFor();
    expect(await page.getByRole("figure").textContent()).not.toContain("Cake House");
    await page.goto(`${box.gateway.url}/commands?type=print_receipt`);
    await link(/Receipt €1\.60/)
      .first()
      .waitFor();
    await shop.owner.expect("PATCH", "/org", { currency: "EUR", name: "Магазин Роза" });
    expect(await faultsForReaders(page)).toEqual([]);
  });

  test("shows of its requests what printed or changed something, and the rest to whoever asks", async () => {
    await shop.owner.expect("GET", `/devices/${counter.device}/info`);
    await page.goto(`${box.gateway.url}/commands`);
    const reading = link(/^Reading the printer's data/);
    await link(/^Receipt/)
      .first()
      .waitFor();
    expect(await reading.count()).toBe(0);
    await button("Show what was only read too").press("Enter");
    await reading.first().waitFor();
    await page.reload();
    await reading.first().waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    // Nothing was asked of this one: what is left out is said where nothing else is.
    await page.goto(`${box.gateway.url}/commands?printer=dev_0`);
    await page.getByText("What was only read from a printer is left out.").waitFor();
    // One kind is asked for: there is nothing to leave out.
    await page.goto(`${box.gateway.url}/commands?type=print_receipt`);
    await link(/^Receipt/)
      .first()
      .waitFor();
    expect(await button("Show what was only read too").count()).toBe(0);
  });

  test("asks about a printer that was removed meanwhile, but has nobody ask it", async () => {
    const removed = await addPrinter(box, shop, "Back room");
    const { id } = await sellInDoubt(shop, removed, { name: "Jam", price: 5 });
    await page.goto(`${box.gateway.url}/printers/${removed.device}/actions`);
    await button("Open the drawer").waitFor();
    // Where there are two, the search says whose receipt it is.
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Search" }).fill("7,50");
    await page.getByRole("option", { name: /^Receipt 1 · €7\.50 · .* · Counter$/ }).waitFor();
    await page.keyboard.press("Escape");
    await shop.owner.expect("DELETE", `/devices/${removed.device}`);
    // Whoever has its page open can press nothing there any more.
    await page.getByText("This is not here").waitFor();
    await page.goto(`${box.gateway.url}/receipts?doubtful=1`);
    await page.getByText("Receipt of €5.00 at a printer that has been removed").waitFor();
    await link("Settle").click();
    await page.getByText("Your answer decides whether it counts.").waitFor();
    await button("I can't tell: show me how to find out").click();
    await page.getByText("Look into the printer's journal").waitFor();
    expect(await page.getByText(/^Ask /).count()).toBe(0);
    await button("Back to the answers").click();
    await button("No").click();
    await page.getByRole("dialog").getByRole("button", { name: "It is not printed" }).click();
    await page.getByText("Not printed, according to you").waitFor();
    expect(await page.getByText("What waited for this printer goes on.").count()).toBe(0);
    const { command } = await shop.owner.expect<{ command: unknown }>("GET", `/commands/${id}`);
    expect(command).toMatchObject({ resolution: { outcome: "not_printed" } });
    expect(complaints).toEqual([]);
  });
});
