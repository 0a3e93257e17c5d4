/** Buttons that are pressed while the box is away: what they say, and that nothing happens later. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import type { Shop } from "../../e2e/harness/gateway.ts";
import { browsers, faultsForReaders, openPage, signIn, startBrowser } from "./browser.ts";
import { type Box, openBox, setUp } from "./shop.ts";

describe.each(browsers())("a button of a box that is away", (path) => {
  let box: Box;
  let browser: Browser;
  let page: Page;
  let shop: Shop;

  beforeAll(async () => {
    [box, browser] = await Promise.all([openBox(), startBrowser(path)]);
    const { printers, ...made } = await setUp(box, ["Counter"]);
    shop = made.shop;
    const opened = await openPage(browser);
    page = opened.page;
    await signIn(opened.context, box.gateway.url, shop);
    await page.goto(`${box.gateway.url}/printers/${printers[0]?.device}/actions`);
    await page.getByText("live", { exact: true }).waitFor({ timeout: 30_000 });
  });
  afterAll(async () => {
    await browser.close();
    await box.close();
  });

  test("says so, can be given up, and does nothing by itself once the box is back", async () => {
    const part = (name: string) => page.getByRole("region", { name, exact: true });
    const [drawer, reading] = [part("Drawer"), part("Daily reading (X)")];
    await box.killGateway();
    await drawer.getByRole("button", { name: "Open the drawer" }).waitFor();
    await box.killGateway();
    await drawer.getByRole("button", { name: "Open the drawer" }).click();
    await reading.getByRole("button", { name: "Print the X report" }).click();
    const late = "The box does not answer. It is asked for a few seconds more";
    await Promise.all([drawer, reading].map((one) => one.getByText(late).waitFor()));
    expect(await faultsForReaders(page)).toEqual([]);
    await reading.getByRole("button", { name: "Go back" }).click();
    await reading.getByText("It is asked no more").waitFor();
    // Nobody goes back from this one: it ends by itself while somebody stands at the drawer.
    await drawer.getByText("It is asked no more").waitFor({ timeout: 60_000 });
    await box.restartGateway();
    await page.getByText("live", { exact: true }).waitFor({ timeout: 60_000 });
    const { commands } = await shop.owner.expect<{ commands: object[] }>("GET", "/commands");
    expect(commands).toEqual([]);
  });
});
