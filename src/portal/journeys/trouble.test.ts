/** A day on which a printer stops: who stands at the till reads what to do, and nothing is printed twice. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Shop } from "../../e2e/harness/gateway.ts";
import type { SimulatedPrinter } from "../../e2e/harness/simulator.ts";
import { until } from "../../e2e/harness/until.ts";
import { browsers, faultsForReaders } from "./browser.ts";
import { pressOn } from "./keyboard.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import { type Box, order, sell } from "./shop.ts";

/** The frame of a sale at which a stopped printer keeps it waiting: the receipt is open by then. */
const OPEN_AT = 4;

describe.each(browsers())("a printer that stops", (path) => {
  let opened: OpenShop;
  let box: Box;
  let page: Page;
  let shop: Shop;
  let printer: SimulatedPrinter;
  let device: string;
  let complaints: readonly string[];

  beforeAll(async () => {
    opened = await openShop(path, { page: { hasTouch: true } });
    ({ box, page, complaints, shop, printer, device } = opened);
  });
  afterAll(() => opened?.close());
  /** Stands before the first page while nothing is the matter. */
  async function toToday(): Promise<void> {
    await page.goto(box.gateway.url);
    await page.getByText("Ready", { exact: true }).waitFor();
  }
  /** Has the printer say how it is, which it is else asked from time to time. */
  const looks = async () => shop.till.wait((await shop.till.submit(device, "get_status")).id);
  /** Sells, and stops the printer while the receipt is open. @returns the sale's command */
  async function stop(kind: "paper_out" | "cover_open", price: number) {
    await looks();
    await printer.fault({ kind, at: OPEN_AT });
    return order(shop.till, device, [{ name: "Coffee", price }]);
  }
  /** What the printer has printed, by its own books. */
  const totals = async () => (await printer.books()).receipts.map(({ total }) => total);

  test("leaves a receipt that a person can settle once it has been silent for a minute", async () => {
    const { id } = await stop("paper_out", 1.7);
    await until("its receipt to be open", async () => {
      const path = `/commands/${id}`;
      const { command } = await shop.till.expect<{ command: { status: string } }>("GET", path);
      return command.status === "processing";
    });
    let isSilent = false;
    const minutesAgo = new Date(Date.now() - 120_000).toISOString();
    await page.route(`**/api/v1/commands/${id}`, async (route) => {
      const answer = await route.fetch();
      const { command } = await answer.json();
      await route.fulfill({ json: { command: { ...command, processingAt: minutesAgo } } });
    });
    await page.route("**/api/v1/devices", async (route) => {
      const answer = await route.fetch();
      const devices: object[] = await answer.json();
      const status = isSilent ? { effectiveStatus: "offline" } : {};
      await route.fulfill({ json: devices.map((one) => ({ ...one, ...status })) });
    });
    const settle = page.getByRole("link", { name: "Settle", exact: true });
    await page.goto(`${box.gateway.url}/commands/${id}`);
    await page.getByText("What happened").first().waitFor();
    expect(await settle.count()).toBe(0);
    isSilent = true;
    await page.reload();
    await pressOn(page, settle);
    await page.getByText("The box is still asking the printer.").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    // By the keys alone, also where the box does not take it: the printer is heard of after all.
    await pressOn(page, page.getByRole("button", { name: "Yes, it is printed" }));
    const number = page.getByLabel("Number of the receipt").and(page.locator(":focus"));
    await number.waitFor();
    await page.keyboard.insertText("1");
    await page.keyboard.press("Enter");
    await page.getByText("The answer was not accepted.").waitFor();
    await number.waitFor();
    await printer.clear();
    expect((await shop.till.wait(id)).status).toBe("completed");
    await page.getByText("The printer has told what became of this.").waitFor();
    await page.locator("main:focus, main :focus").waitFor();
    await pressOn(page, page.getByRole("link", { name: "What happened" }));
    await page.getByRole("heading", { name: "Receipt", level: 1 }).waitFor();
  });

  test.each([
    {
      ...{ is: "out of paper", kind: "paper_out", state: "Paper is out", cents: 250 },
      does: "Paper is out in Counter. The receipt waits",
    },
    {
      ...{ is: "open", kind: "cover_open", state: "Cover is open", cents: 320 },
      does: "The cover of Counter is open. The receipt waits",
    },
  ] as const)(
    "$is says what to do, and finishes by itself",
    async ({ kind, does, state, cents }) => {
      await toToday();
      const before = await totals();
      const { id } = await stop(kind, cents / 100);
      // First on the page that stands open, then on the printer's own; by the keys alone.
      await page.getByText(does).waitFor();
      expect(await faultsForReaders(page)).toEqual([]);
      await pressOn(page, page.getByRole("link", { name: /^Counter/ }));
      await page.getByRole("heading", { name: "Counter", level: 1 }).waitFor();
      await page.getByText(does).waitFor();
      await page.getByText(state, { exact: true }).first().waitFor();
      // Whoever reads it in the history is not told to sell again either.
      await pressOn(page, page.getByRole("link", { name: "History", exact: true }));
      await page.getByRole("listitem").filter({ hasText: does }).waitFor();
      await pressOn(page, page.getByRole("link", { name: "Now", exact: true }));
      expect(await totals()).toEqual(before);

      await printer.clear();
      expect((await shop.till.wait(id)).status).toBe("completed");
      await page.getByText(does).waitFor({ state: "detached" });
      await page.getByText("Ready", { exact: true }).waitFor();
      expect(await totals()).toEqual([...before, cents]);
    },
  );

  test("says once that the disk of the box is full, whatever it tells of each printer", async () => {
    const today = "**/api/v1/today";
    await page.route(today, async (route) => {
      const answer = await (await route.fetch()).json();
      const [line] = answer.devices;
      const alerts = [
        { type: "disk_full", severity: "error", message: "", detectedAt: answer.day.from },
      ];
      const told = ["Counter", "Back desk"].map((name) => {
        const device = { ...line.device, id: `dev_${name}`, name };
        const own = alerts.map((alert) => ({ ...alert, deviceId: device.id, deviceName: name }));
        return { ...line, device, alerts: own };
      });
      await route.fulfill({ json: { ...answer, devices: told } });
    });
    await page.goto(box.gateway.url);
    await page.getByText("no printer gets receipts").waitFor();
    await page.getByRole("link", { name: /^Back desk.*Disk of the box is full/ }).waitFor();
    expect(await page.getByText("Call whoever looks after the box").count()).toBe(1);
    await page.unrouteAll({ behavior: "wait" });
  });

  test("without paper before the sale, refuses it: the till sells again", async () => {
    await toToday();
    const before = await totals();
    await printer.fault({ kind: "paper_out" });
    const refused = await sell(shop, device, { name: "Tea", price: 1.2 });
    expect(refused.result?.data).toMatchObject({ outcome: "not_printed" });
    await page.getByText(/Until then receipts are refused: sell again afterwards\./).waitFor();
    const opener = page.getByRole("button", { name: "How to load paper", exact: true });
    await pressOn(page, opener);
    const steps = page.getByRole("dialog", { name: "How to load paper: Counter" });
    await steps.getByRole("heading", { name: "Put the new roll in" }).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await page.emulateMedia({ media: "print" });
    expect(await page.getByText("Sold today").isVisible()).toBe(false);
    expect(await steps.getByText("Close the cover").isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
    await page.keyboard.press("Escape");
    await steps.waitFor({ state: "detached" });
    // Who goes by the keys goes on where they were opened.
    await opener.and(page.locator(":focus")).waitFor();
    await printer.clear();
    // Seen by itself: who has loaded paper does not have to try by selling.
    await page.getByText("Ready", { exact: true }).waitFor({ timeout: 8_000 });
    expect((await sell(shop, device, { name: "Tea", price: 1.2 })).status).toBe("completed");
    expect(await totals()).toEqual([...before, 120]);
    const sum = before.reduce((left, right) => left + right, 120) / 100;
    await page
      .getByText(`€${sum.toFixed(2)}`)
      .first()
      .waitFor();
  });

  test("cancels what has not begun, and says so only where it is known that it has", async () => {
    await toToday();
    await printer.fault({ kind: "hold", count: 1 });
    const { id: first } = await shop.till.submit(device, "get_status");
    await until("a held answer", printer.isHolding);
    const { id: waiting } = await order(shop.till, device, [{ name: "Tea", price: 1.2 }]);
    const dialog = page.getByRole("dialog");
    const push = dialog.getByRole("button", { name: "Cancel the request" });
    const status = async () =>
      (
        await shop.owner.expect<{ command: { status: string } }>(
          ...(["GET", `/commands/${waiting}`] as const),
        )
      ).command.status;
    for (const place of [`commands/${waiting}`, `printers/${device}`]) {
      await page.goto(`${box.gateway.url}/${place}`);
      await page.getByRole("button", { name: /^Cancel/ }).click();
      await page.route("**/api/v1/commands/*", (route) =>
        route.request().method() === "DELETE" ? route.abort("connectionreset") : route.continue(),
      );
      await push.click();
      await dialog.getByText("The box did not answer. This may be cancelled").waitFor();
      expect(await status()).toBe("pending");
      await page.unrouteAll({ behavior: "wait" });
    }
    // What it begins with meanwhile.
    await page.route("**/api/v1/commands/*", async (route) => {
      if (route.request().method() !== "DELETE") return route.continue();
      await printer.release();
      await shop.till.wait(waiting);
      await route.continue();
    });
    await push.click();
    await dialog.getByText("Too late: this does not wait any more.").waitFor();
    expect([(await shop.till.wait(first)).status, await status()]).toEqual([
      ...["completed", "completed"],
    ]);
    await page.unrouteAll({ behavior: "wait" });
  });

  test("is busy while it is only read, and keeps no receipt waiting by that", async () => {
    const read = async () => {
      await printer.fault({ kind: "hold", count: 1 });
      const { id } = await shop.till.submit(device, "get_status");
      await until("a held answer", printer.isHolding);
      return id;
    };
    const end = async (id: string) => {
      await printer.release();
      expect((await shop.till.wait(id)).status).toBe("completed");
    };
    await toToday();
    const first = await read();
    await page.getByText("Busy", { exact: true }).waitFor();
    await page.goto(`${box.gateway.url}/printers`);
    await page.getByText("Busy", { exact: true }).waitFor();
    await end(first);
    // On a page that stands open since before, too.
    await page.goto(`${box.gateway.url}/printers/${device}`);
    await page.getByText("Ready", { exact: true }).first().waitFor();
    const onPage = await read();
    await page.getByText("Busy", { exact: true }).first().waitFor();
    await end(onPage);
    await toToday();
    await printer.fault({ kind: "paper_out" });
    await looks();
    const refused = page.getByText(/Until then receipts are refused/);
    await refused.waitFor();
    const second = await read();
    await page.getByText(/^Reading the state,/).waitFor();
    expect(await refused.count()).toBe(1);
    await end(second);
    await printer.clear();
    await page.getByText("Ready", { exact: true }).waitFor();
  });

  test("tells afterwards what stood, for how long and how it ended", async () => {
    const since = Date.now();
    await page.goto(`${box.gateway.url}/printers/${device}/history`);
    await printer.fault({ kind: "paper_low" });
    await looks();
    await page
      .getByRole("listitem")
      .filter({ hasText: "Paper is running out in Counter" })
      .waitFor();
    // What comes and goes within a second is no history: it has to be told first.
    const standing = `/alerts?state=standing&deviceId=${device}`;
    await until("a told alert", async () => {
      const { alerts } = await shop.owner.expect<{ alerts: { type: string }[] }>("GET", standing);
      return alerts.some(({ type }) => type === "paper_low");
    });
    const { page: list } = await opened.openAs();
    await list.goto(`${box.gateway.url}/alerts?state=standing`);
    const row = list.getByRole("link", { name: /Paper is running out/ });
    await row.getByText("not over yet").waitFor();
    // As where a hundred others of the printer stand before it.
    await list.route(/\/alerts\?.*limit=100/, (route) =>
      route.fulfill({ json: { alerts: [], hasMore: true, lastId: "1" } }),
    );
    await printer.clear();
    await looks();
    const over = page.getByRole("listitem").filter({ hasText: "put right" });
    await over.filter({ hasText: "Paper is running out" }).first().waitFor();
    // It has left the list's filter, and is not left standing.
    await row.getByText("put right").waitFor();
    await list.close();
    expect(await faultsForReaders(page)).toEqual([]);
    const { alerts } = await shop.owner.expect<{
      alerts: { type: string; detectedAt: string; end: string }[];
    }>("GET", `/alerts?state=past&deviceId=${device}&limit=1`);
    expect(alerts).toMatchObject([{ type: "paper_low", end: "cured" }]);
    expect(Date.parse(alerts[0]?.detectedAt ?? "")).toBeGreaterThanOrEqual(since);

    await pressOn(page, page.getByRole("link", { name: "All of the last 90 days" }));
    await page.getByRole("heading", { name: "What printers needed", level: 1 }).waitFor();
    await page
      .getByRole("link", { name: /Paper is running out.*put right/ })
      .first()
      .waitFor();
    await page.getByRole("combobox", { name: "Over or not" }).selectOption("Not over yet");
    await page.getByText("Nothing fits these filters").waitFor();
  });

  test("takes cash in on the till's touch screen, with the pad", async () => {
    const { cash } = await printer.books();
    await page.goto(box.gateway.url);
    await page.getByRole("link", { name: /^Counter/ }).tap();
    await page.getByRole("link", { name: "Actions", exact: true }).tap();
    await page.getByRole("button", { name: "Cash in", exact: true }).tap();
    const dialog = page.getByRole("dialog");
    for (const key of ["1", "2", "5"]) {
      await dialog.getByRole("button", { name: key, exact: true }).tap();
    }
    await dialog.getByRole("button", { name: "Put in €125.00" }).tap();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Printed", { exact: true }).waitFor();
    expect((await printer.books()).cash).toBe(cash + 12_500);
  });

  test("takes an amount from the keyboard as it is written, and asks nothing else of the box", async () => {
    const { cash } = await printer.books();
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await page.goto(`${box.gateway.url}/printers/${device}/actions`);
    await button("Cash in").click();
    const dialog = page.getByRole("dialog");
    const amount = dialog.getByLabel("Amount");
    await amount.pressSequentially("1.000,50");
    await dialog.getByText("Not an amount.").waitFor();
    await page.keyboard.press("Enter");
    for (const written of ["-5", "1e5"]) {
      await amount.fill("");
      await amount.pressSequentially(written);
      expect(await amount.inputValue()).toBe(written);
      await dialog.getByText("Not an amount.").waitFor();
    }
    await amount.fill("");
    await amount.pressSequentially("5.5");
    await dialog.getByRole("button", { name: "Put in €5.50" }).waitFor();
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Printed", { exact: true }).waitFor();
    expect((await printer.books()).cash).toBe(cash + 550);
    await button("Cash in").click();
    await amount.pressSequentially("500");
    await dialog.getByRole("button", { name: "Put in €500.00" }).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await page.keyboard.press("Escape");
  });

  test("says at the action, in the shop's words, why the printer refused it", async () => {
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await page.goto(`${box.gateway.url}/printers/${device}/actions`);
    await button("Cash out").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Amount").pressSequentially("9000");
    await page.keyboard.press("Enter");
    await page.getByText(/^There is less cash in the drawer, by the printer's books\./).waitFor();
    expect(await page.getByText("rung up again").count()).toBe(0);
    // Each receipt can be repeated once.
    await sell(shop, device, { name: "Tea", price: 1.2 });
    for (const copies of ["Printed", "It has no receipt to repeat"]) {
      await button("Print the duplicate").click();
      await dialog.getByRole("button", { name: "Print the duplicate" }).click();
      await page.getByText(copies).waitFor();
      await dialog.waitFor({ state: "detached" });
    }
    expect(await faultsForReaders(page)).toEqual([]);
  });

  test("says of a reversal that was refused that the sale stands, and nothing of ringing up", async () => {
    await sell(shop, device, { name: "Tea", price: 1.2 });
    const { receipts } = await shop.owner.expect<{ receipts: { id: string }[] }>(
      "GET",
      "/receipts?type=sale&limit=1",
    );
    await page.goto(`${box.gateway.url}/receipts/${receipts[0]?.id}/reversal`);
    await printer.fault({ kind: "paper_out" });
    await page.getByRole("button", { name: "Everything that is left" }).click();
    await page.getByLabel("Return or complaint").check();
    await page.getByRole("button", { name: "Print the reversal" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Print the reversal" }).click();
    await page.getByText(/nothing was taken back: the sale stands as it was\.$/).waitFor();
    expect(await page.getByText("rung up again").count()).toBe(0);
    await printer.clear();
  });

  test("says where a reversal was asked for that it waits for paper, and calls nothing reversed", async () => {
    const sale = await sell(shop, device, { name: "Ham", price: 2, quantity: 2 });
    const { receipts } = await shop.owner.expect<{ receipts: { id: string; commandId: string }[] }>(
      "GET",
      "/receipts?type=sale&limit=1",
    );
    expect(receipts[0]?.commandId).toBe(sale.id);
    await page.goto(`${box.gateway.url}/receipts/${receipts[0]?.id}/reversal`);
    await page.getByRole("button", { name: "More of Ham" }).click();
    await page.getByLabel("Return or complaint").check();
    await looks();
    await printer.fault({ kind: "paper_out", at: OPEN_AT });
    await page.getByRole("button", { name: "Print the reversal" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Print the reversal" }).click();
    const waits = page.getByText("Paper is out in Counter. The receipt waits");
    await waits.waitFor();
    await page.getByText("1 left, the rest is being reversed").waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await page.getByRole("link", { name: "What happened" }).click();
    await page.getByRole("heading", { name: "Reversal", level: 1 }).waitFor();
    await waits.waitFor();
    await printer.clear();
    await waits.waitFor({ state: "detached" });
    await page
      .getByText(/^Printed/)
      .first()
      .waitFor();
    await page.goto(`${box.gateway.url}/receipts/${receipts[0]?.id}/reversal`);
    await page.getByText("1 left, the rest is reversed").waitFor();
  });

  test("never broke its own rules on the way", () => {
    expect(complaints).toEqual([]);
  });
});
