/** The steps of setting up that add a printer and try it, on a phone. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import type { Shop } from "../../e2e/harness/gateway.ts";
import { browsers, faultsForReaders, openPage, signIn, startBrowser } from "./browser.ts";
import { type Box, openBox, setUp } from "./shop.ts";

describe.each(browsers())("adding a printer while setting up", (path) => {
  let box: Box;
  let browser: Browser;
  let page: Page;
  let shop: Shop;

  beforeAll(async () => {
    [box, browser] = await Promise.all([openBox(), startBrowser(path)]);
    ({ shop } = await setUp(box, []));
    const opened = await openPage(browser, { viewport: { width: 360, height: 740 } });
    page = opened.page;
    await signIn(opened.context, box.gateway.url, shop);
  });
  afterAll(async () => {
    await browser.close();
    await box.close();
  });
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  test("says at the field of an address that it is none", async () => {
    await page.goto(`${box.gateway.url}/setup/printer`);
    const field = page.getByRole("textbox", { name: "Its address" });
    for (const wrong of ["printer!!", "192.168.1.50:99999"]) {
      await field.fill(wrong);
      await button("Look there").click();
      await page.getByText("This is no address. It looks like 192.168.1.50.").waitFor();
      await field.and(page.locator(":focus")).waitFor();
      expect(await field.inputValue()).toBe(wrong);
      expect(await page.getByText("The search ended early").count()).toBe(0);
      await field.fill("192.168.1.50");
      await page.getByText("This is no address").waitFor({ state: "detached" });
    }
  });

  test("says where one looks what was added, and how to go on", async () => {
    await page.goto(`${box.gateway.url}/setup/printer`);
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    expect(await name.inputValue()).toBe("Training");
    await button("Add a simulated printer").click();
    const added = page.getByText("Training is added. Go on, or add another one.");
    await added.waitFor();
    const place = await added.boundingBox();
    expect(place?.y).toBeGreaterThan(0);
    expect(place?.y).toBeLessThan(700);
    await button("Next").and(page.locator(":focus")).waitFor();
    expect(await name.inputValue()).toBe("Training 2");
    expect(await faultsForReaders(page)).toEqual([]);
  });

  test("asks nobody for the paper of a practice printer", async () => {
    await shop.owner.expect("POST", "/devices/simulated", {
      ...{ name: "Desk", driver: "vendorA.isl", locationId: "shop" },
    });
    await page.goto(`${box.gateway.url}/setup/test`);
    await page.getByText("Practice: does not count").waitFor();
    await page.getByRole("combobox", { name: "Printer", exact: true }).selectOption("Desk");
    await button("Print it").click();
    await page.getByText("Desk has printed it. A practice printer has no paper").waitFor();
    expect(await page.getByText("Did paper come out?").count()).toBe(0);
  });

  test("tries a printer of Latin letters with a slip that it can print", async () => {
    await shop.owner.expect("PATCH", "/org", { name: "Магазин „Слънце“ 24" });
    await shop.owner.expect("POST", "/devices/simulated", {
      ...{ name: "Latin", driver: "custom.serial", locationId: "shop" },
    });
    await page.goto(`${box.gateway.url}/setup/test`);
    await page.getByRole("combobox", { name: "Printer", exact: true }).selectOption("Latin");
    await page.getByText("This is no receipt.").waitFor();
    await button("Print it").click();
    await page.getByText("Latin has printed it.").waitFor();
  });
});
