/** The end of a day, in a browser: cash is counted, the day closed, the accountant served. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import type { SimulatedPrinter } from "../../e2e/harness/simulator.ts";
import { browsers, openPage, startBrowser } from "./browser.ts";
import { type Box, openBox, sell, setUp } from "./shop.ts";

describe.each(browsers())("the end of a day", (path) => {
  let box: Box;
  let browser: Browser;
  let page: Page;
  let printer: SimulatedPrinter;
  let complaints: readonly string[];

  beforeAll(async () => {
    [box, browser] = await Promise.all([openBox(), startBrowser(path)]);
    const { shop, printers } = await setUp(box, ["Counter"]);
    const [first] = printers;
    if (first === undefined) throw new Error("no printer");
    printer = first.printer;
    await sell(shop, first.device, { name: "Coffee", price: 2.5, quantity: 4 });
    let context: Awaited<ReturnType<typeof openPage>>["context"];
    ({ page, context, complaints } = await openPage(browser));
    const { url } = box.gateway;
    const { email, password } = shop;
    const headers = { "X-Session": "cookie" };
    await context.request.post(`${url}/api/v1/auth/login`, { headers, data: { email, password } });
    await page.goto(`${url}/printers/${first.device}/actions`);
  });
  afterAll(async () => {
    await browser.close();
    await box.close();
  });
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  test("takes cash out by the keys alone", async () => {
    await button("Cash out").press("Enter");
    await page.getByLabel("Amount").pressSequentially("650");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText("Printed", { exact: true }).waitFor();
    expect((await printer.books()).cash).toBe(350);
  });

  test("shows what is in the day before it is closed, and then beside its Z report", async () => {
    await button("Make the Z report").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("€10.00").first().waitFor();
    expect((await printer.books()).zNumber).toBe(0);
    await dialog.getByRole("button", { name: "Print the Z report" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Printed", { exact: true }).nth(1).waitFor();
    expect((await printer.books()).zNumber).toBe(1);
    await page.getByRole("link", { name: "Reports of today" }).click();
    await page.getByText("agrees with the receipts stored here").waitFor();
    await page.getByRole("link", { name: "Reports", exact: true }).first().click();
    await page.getByText("1 Z report made").waitFor();
  });

  test.each([
    ["Receipts, table (CSV)", "csv", "Coffee"],
    ["Receipts, data (JSON)", "json", '"Coffee"'],
    ["Journal (XML)", "xml", "</journal>"],
  ])("saves %s", async (name, ending, part) => {
    const [download] = await Promise.all([page.waitForEvent("download"), button(name).click()]);
    expect(download.suggestedFilename()).toEndWith(`.${ending}`);
    expect(readFileSync(await download.path(), "utf8")).toContain(part);
  });

  test("never broke its own rules on the way", () => {
    expect(complaints).toEqual([]);
  });
});
