/** One press, one document: fingers that press twice, keys that are held, answers that get lost. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { Shop } from "../../e2e/harness/gateway.ts";
import type { SimulatedPrinter } from "../../e2e/harness/simulator.ts";
import { until } from "../../e2e/harness/until.ts";
import { browsers } from "./browser.ts";
import { tabTo } from "./keyboard.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import { type Box, sell } from "./shop.ts";

/** So often a keyboard repeats what is held, while a dialog comes and goes several times. */
const REPEATS = 60;
/** What became of a press is looked up among these. */
const LOOKED_UP = /\/api\/v1\/commands\?.*sortOrder=asc/;

describe.each(browsers())("the portal under a heavy hand", (path) => {
  let opened: OpenShop;
  let box: Box;
  let page: Page;
  let shop: Shop;
  let printer: SimulatedPrinter;
  let device: string;

  beforeAll(async () => {
    opened = await openShop(path);
    ({ box, shop, printer, device } = opened);
  });
  afterAll(() => opened?.close());
  beforeEach(async () => {
    ({ page } = await opened.openAs());
  });
  // Left open, it would read again upon every event of the tests behind it.
  afterEach(() => page.context().close());
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const dialog = () => page.getByRole("dialog");
  const asked = async (type: string) =>
    (await shop.owner.expect<{ commands: object[] }>("GET", `/commands?type=${type}`)).commands
      .length;

  /** Opens the question whether one of three coffees goes back. @returns its button */
  async function askForReversal() {
    await sell(shop, device, { name: "Coffee", price: 2, quantity: 3 });
    const { receipts } = await shop.owner.expect<{ receipts: { id: string }[] }>(
      "GET",
      "/receipts?type=sale&limit=1",
    );
    await page.goto(`${box.gateway.url}/receipts/${receipts[0]?.id}/reversal`);
    await button("More of Coffee").click();
    await page.getByLabel("Return or complaint").check();
    await button("Print the reversal").click();
    return dialog().getByRole("button", { name: "Print the reversal" });
  }
  const stornos = async () =>
    (await printer.books()).receipts.filter(({ kind }) => kind === "storno").length;

  test("pays back once where the button is pressed twice", async () => {
    const before = await stornos();
    await (await askForReversal()).dblclick();
    await page.getByText("€4.00 of €6.00 can still be reversed.").waitFor();
    await page.getByText(/^Printed, number \d+\.$/).waitFor();
    expect(await stornos()).toBe(before + 1);
    expect(await page.getByText("This was not accepted").count()).toBe(0);
  });

  test("pays back once where the answers get lost on their way", async () => {
    const before = await stornos();
    let lost = 0;
    await page.route("**/storno", async (route) => {
      if (lost === 2) return route.continue();
      await route.fetch();
      lost += 1;
      await route.abort("connectionreset");
    });
    // The page shows what was printed, as the box tells of it, before it has its answer.
    const answered = page.waitForResponse((response) => response.url().endsWith("/storno"));
    await (await askForReversal()).click();
    await answered;
    await page.getByText("€4.00 of €6.00 can still be reversed.").waitFor();
    await page.getByText(/^Printed, number \d+\.$/).waitFor();
    expect([lost, await stornos()]).toEqual([2, before + 1]);
  });

  test("makes no Z report of a key that is held, nor of one that is pressed again and again", async () => {
    const { zNumber } = await printer.books();
    const before = await asked("z_report");
    await page.goto(`${box.gateway.url}/printers/${device}/actions`);
    await tabTo(page, button("Make the Z report"));
    for (let time = 0; time < REPEATS; time += 1) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await dialog().waitFor();
    for (let time = 0; time < REPEATS; time += 1) await page.keyboard.press("Enter");
    expect([await asked("z_report"), (await printer.books()).zNumber]).toEqual([before, zNumber]);
  });

  test("prints no duplicate of a key that is pressed again and again", async () => {
    await page.goto(`${box.gateway.url}/printers/${device}/actions`);
    await tabTo(page, button("Print the duplicate"));
    for (let time = 0; time < REPEATS; time += 1) await page.keyboard.press("Enter");
    expect(await asked("print_duplicate")).toBe(0);
  });

  /** Sells, and opens the question whether that is printed once more. @returns its button */
  async function askForDuplicate() {
    await sell(shop, device, { name: "Coffee", price: 2 });
    const { receipts } = await shop.owner.expect<{ receipts: { id: string }[] }>(
      ...(["GET", "/receipts?limit=1"] as const),
    );
    await page.goto(`${box.gateway.url}/receipts/${receipts[0]?.id}`);
    await button("Duplicate").click();
    return dialog().getByRole("button", { name: "Print the duplicate" });
  }

  test("offers no duplicate any more once another receipt is sold behind the question", async () => {
    const print = await askForDuplicate();
    await print.waitFor();
    await sell(shop, device, { name: "Tea", price: 3 });
    await dialog().getByText("No duplicate: Counter can repeat only its last receipt.").waitFor();
    expect(await print.isDisabled()).toBe(true);
  });

  test("prints no duplicate of another receipt, of which the page has not heard", async () => {
    const print = await askForDuplicate();
    await print.waitFor();
    await page.route(/\/api\/v1\/receipts\/[^/]+$/, (route) => route.abort("connectionreset"));
    await sell(shop, device, { name: "Tea", price: 3 });
    await print.click();
    await page.getByText("It has no receipt to repeat").waitFor();
    // That of the tea, which most printers make once, is there for who asks for it.
    const own = await shop.till.submit(device, "print_duplicate", {});
    expect((await shop.till.wait(own.id)).status).toBe("completed");
  });

  test("makes one X report of a key that is held", async () => {
    const before = await asked("x_report");
    await page.goto(`${box.gateway.url}/printers/${device}/actions`);
    await tabTo(page, button("Print the X report"));
    for (let time = 0; time < REPEATS; time += 1) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await page.getByText("Printed", { exact: true }).waitFor();
    expect(await asked("x_report")).toBe(before + 1);
  });

  test("opens the drawer once of two clicks, however quickly the box answers", async () => {
    const before = await asked("open_drawer");
    await page.goto(`${box.gateway.url}/printers/${device}/actions`);
    const now = Date.now();
    await page.clock.setFixedTime(now);
    const done = page.getByRole("region", { name: "Drawer" }).getByText("Done", { exact: true });
    for (const _ of ["first", "second"]) {
      await button("Open the drawer").click();
      await done.waitFor();
    }
    await page.clock.setFixedTime(now + 1_000);
    await button("Open the drawer").click();
    await until("the next one", async () => (await asked("open_drawer")) > before + 1);
    await done.waitFor();
    expect(await asked("open_drawer")).toBe(before + 2);
  });

  test("asks no more once somebody has gone back from a box that does not answer", async () => {
    const { zNumber } = await printer.books();
    const before = await asked("z_report");
    await page.clock.install();
    await page.goto(`${box.gateway.url}/printers/${device}/actions`);
    await button("Make the Z report").click();
    await page.context().setOffline(true);
    await dialog().getByRole("button", { name: "Print the Z report" }).click();
    await dialog()
      .getByText("The box does not answer. It is asked again for some minutes")
      .waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("It is asked no more; look at the requests").waitFor();
    await page.context().setOffline(false);
    // However long it would have waited before it asked again.
    await page.clock.fastForward(30_000);
    await button("Print the X report").click();
    await page.getByText("Printed", { exact: true }).waitFor();
    expect([await asked("z_report"), (await printer.books()).zNumber]).toEqual([before, zNumber]);
  });

  test("follows what the box has heard, although somebody has gone back before the answer", async () => {
    const { zNumber } = await printer.books();
    const before = await asked("z_report");
    // More than are on one page of the list, as where a till looks at its printer all the time.
    await shop.till.wait((await shop.till.submit(device, "get_status")).id);
    await page.route(LOOKED_UP, (route) =>
      route.continue({ url: route.request().url().replace("limit=100", "limit=1") }),
    );
    await page.goto(`${box.gateway.url}/printers/${device}/actions`);
    const heard = Promise.withResolvers<void>();
    await page.route("**/api/v1/commands", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      // Its answer never comes.
      await route.fetch();
      heard.resolve();
    });
    await button("Make the Z report").click();
    await dialog().getByRole("button", { name: "Print the Z report" }).click();
    await heard.promise;
    await dialog().getByRole("button", { name: "Go back" }).last().click();
    await page.getByText("Printed", { exact: true }).waitFor();
    expect([await asked("z_report"), (await printer.books()).zNumber]).toEqual([
      ...[before + 1, zNumber + 1],
    ]);
  });

  /** Loses the answers to what a dialog asks, of which the box hears the first or none, until it is given up. */
  async function loseAnswers(push: Locator, { isHeard = true } = {}) {
    let asked = 0;
    await page.route("**/api/v1/commands", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      asked += 1;
      if (isHeard && asked === 1) await route.fetch();
      await route.abort("connectionreset");
    });
    await page.route(LOOKED_UP, (route) => route.abort("connectionreset"));
    await push.click();
    const givenUp = dialog().getByText("The box did not answer. It may have heard this");
    await until("the end of the asking", async () => {
      await page.clock.fastForward(11_000);
      return (await givenUp.count()) > 0;
    });
    await page.unroute("**/api/v1/commands");
    await page.unroute(LOOKED_UP);
  }
  /** Lets the page look what became of it. */
  const lookUp = () =>
    until("the dialog's end", async () => {
      await page.clock.fastForward(4_100);
      return (await dialog().count()) === 0;
    });

  test("takes cash in once where nobody heard that it was, and ends its dialog once that is known", async () => {
    const before = (await printer.books()).cash;
    await page.clock.install();
    await page.goto(`${box.gateway.url}/printers/${device}/actions`);
    await button("Cash in").click();
    await page.getByLabel("Amount").pressSequentially("100");
    await loseAnswers(dialog().getByRole("button", { name: "Put in €100.00" }));
    await lookUp();
    await page
      .getByRole("region", { name: "Cash in and out" })
      .getByText("Printed", { exact: true })
      .waitFor();
    expect([await asked("cash_in"), (await printer.books()).cash]).toEqual([1, before + 10_000]);
  });

  test("closes the day once where nobody heard that it was, and ends its question once that is known", async () => {
    const { zNumber } = await printer.books();
    await page.clock.install();
    await page.goto(`${box.gateway.url}/printers/${device}/actions`);
    await button("Make the Z report").click();
    await loseAnswers(dialog().getByRole("button", { name: "Print the Z report" }));
    await lookUp();
    await page
      .getByRole("region", { name: "Daily closing (Z)" })
      .getByText("Printed", { exact: true })
      .waitFor();
    expect((await printer.books()).zNumber).toBe(zNumber + 1);
  });

  test("tells whoever was not heard that the day is being closed by somebody else meanwhile", async () => {
    const { zNumber } = await printer.books();
    await page.clock.install();
    await page.goto(`${box.gateway.url}/printers/${device}/actions`);
    await button("Make the Z report").click();
    const print = dialog().getByRole("button", { name: "Print the Z report" });
    await loseAnswers(print, { isHeard: false });
    const notHeard = page.getByText("The box has not heard this: nothing was done.");
    await until("what became of it", async () => {
      await page.clock.fastForward(4_100);
      return (await notHeard.count()) > 0;
    });
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await printer.fault({ kind: "hold", count: 1 });
    const { id } = await shop.till.submit(device, "z_report");
    await until("the Z report at work", () => printer.isHolding());
    await button("Make the Z report").click();
    await dialog().getByText("The Z report of this printer is being made already.").waitFor();
    expect([
      await print.isDisabled(),
      await dialog().getByText("The box did not answer.").count(),
    ]).toEqual([true, 0]);
    await printer.release();
    await shop.till.wait(id);
    expect((await printer.books()).zNumber).toBe(zNumber + 1);
  });

  test("books the second of two like payments out, although nobody heard of the first in time", async () => {
    const before = (await printer.books()).cash;
    const out = page.getByRole("region", { name: "Cash in and out" });
    const takeOut = async () => {
      await button("Cash out").click();
      await page.getByLabel("Amount").fill("5");
      await dialog().getByRole("button", { name: "Take out €5.00" }).click();
    };
    await page.clock.install();
    await page.goto(`${box.gateway.url}/printers/${device}/actions`);
    const heard = Promise.withResolvers<void>();
    await page.route("**/api/v1/commands", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      // Its answer never comes.
      await route.fetch();
      heard.resolve();
    });
    await page.route(LOOKED_UP, (route) => route.abort("connectionreset"));
    await takeOut();
    await heard.promise;
    await dialog().getByRole("button", { name: "Go back" }).last().click();
    const unknown = out.getByText("The box did not answer. It may have heard this");
    await unknown.waitFor();
    // Whoever looks into the dialog once more has not learnt what became of it.
    await button("Cash out").click();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await page.unroute(LOOKED_UP);
    await page.unroute("**/api/v1/commands");
    await page.clock.fastForward(4_100);
    await out.getByText("Printed", { exact: true }).waitFor();
    expect(await unknown.count()).toBe(0);
    const answered = page.waitForResponse("**/api/v1/commands");
    await takeOut();
    const { command } = await (await answered).json();
    await shop.till.wait(command.id);
    expect([await asked("cash_out"), (await printer.books()).cash]).toEqual([2, before - 1_000]);
  });
});
