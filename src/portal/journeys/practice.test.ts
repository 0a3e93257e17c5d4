/** A shop that practises before it sells: what is left out where, and how it is found all the same. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import type { Shop } from "../../e2e/harness/gateway.ts";
import { browsers, faultsForReaders, openPage, signIn, startBrowser } from "./browser.ts";
import { addPrinter, type Box, openBox, sell, setUp } from "./shop.ts";

describe.each(browsers())("the portal of a shop that practises", (path) => {
  let box: Box;
  let browser: Browser;
  let page: Page;
  let shop: Shop;
  let practice: string;

  beforeAll(async () => {
    [box, browser] = await Promise.all([openBox(), startBrowser(path)]);
    ({ shop } = await setUp(box, []));
    ({ id: practice } = await shop.owner.expect<{ id: string }>("POST", "/devices/simulated", {
      ...{ name: "Training", driver: "vendorA.isl", locationId: "shop" },
    }));
    await sell(shop, practice, { name: "Coffee", price: 1.5 });
    const opened = await openPage(browser);
    page = opened.page;
    await signIn(opened.context, box.gateway.url, shop);
  });
  afterAll(async () => {
    await browser.close();
    await box.close();
  });
  const leftOut = () => page.getByText("Practice receipts are left out here").waitFor();
  const printers = () => page.getByRole("combobox", { name: "Printer" });
  const chosen = () => printers().locator("option:checked").textContent();

  test("leads from where nothing was sold to what was printed for practice", async () => {
    await page.goto(box.gateway.url);
    await leftOut();
    await page.getByRole("link", { name: "Show practice receipts" }).click();
    await page.getByRole("link", { name: /Coffee/ }).waitFor();
    expect(await chosen()).toBe("All practice printers");
    await page.goto(`${box.gateway.url}/receipts`);
    await leftOut();
    expect(await chosen()).toBe("All printers but practice");
    expect(await faultsForReaders(page)).toEqual([]);
    await page.getByRole("button", { name: "Show practice receipts" }).click();
    await page.getByRole("link", { name: /Coffee/ }).waitFor();
    await page.getByRole("heading", { level: 2 }).getByText("€1.50").waitFor();
  });

  test("opens the reports of a real printer, and marks those of another", async () => {
    const note = page.getByText("Practice: does not count");
    await page.goto(`${box.gateway.url}/reports`);
    await note.waitFor();
    const { device } = await addPrinter(box, shop, "Counter");
    await sell(shop, device, { name: "Tea", price: 2 });
    await page.goto(`${box.gateway.url}/reports`);
    await page.getByRole("region", { name: "The whole month" }).getByText("€2.00").waitFor();
    expect([await chosen(), await note.count()]).toEqual(["Counter", 0]);
    expect(await printers().locator("optgroup").getAttribute("label")).toBe("Practice");
    await printers().selectOption("Training");
    await note.waitFor();
  });

  test("shows the header in the middle, where a simulated printer prints it", async () => {
    await page.goto(`${box.gateway.url}/printers/${practice}/setup`);
    await page.getByLabel("Above the receipt").fill("Corner Shop\n\nMain Street 1");
    await page.getByText("this printer puts each line in the middle").waitFor();
    // What is programmed to nothing takes no paper.
    const header = /^ {10,}Corner Shop *\n {10,}Main Street 1 *$/m;
    expect(await page.locator("main pre").textContent()).toMatch(header);
    expect(await page.getByRole("button", { name: "Centre the lines" }).count()).toBe(0);
    expect(await faultsForReaders(page)).toEqual([]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const { id } = await sell(shop, practice, { name: "Milk", price: 1.2 });
    expect((await shop.till.wait(id)).status).toBe("completed");
    const paper = await fetch(`${box.gateway.url}/api/v1/devices/${practice}/paper?format=text`, {
      headers: { Authorization: `Bearer ${shop.owner.credential}` },
    });
    expect(await paper.text()).toMatch(header);
  });

  test("practises in Romania as the printers there print", async () => {
    await shop.owner.expect("PATCH", "/org", { currency: "RON" });
    await page.goto(`${box.gateway.url}/printers/new`);
    await page.getByLabel("Name").last().fill("Casa de exersare");
    await page.getByRole("button", { name: "Add a simulated printer" }).click();
    await page
      .getByText(/^DB45\d{8}$/)
      .first()
      .waitFor();
    type Devices = { id: string; name: string }[];
    const devices = await shop.owner.expect<Devices>("GET", "/devices");
    const id = devices.find(({ name }) => name === "Casa de exersare")?.id ?? "";
    await sell(shop, id, { name: "Cafea", price: 1.5 });
    const paper = await fetch(`${box.gateway.url}/api/v1/devices/${id}/paper?format=text`, {
      headers: { Authorization: `Bearer ${shop.owner.credential}` },
    });
    const text = await paper.text();
    for (const said of ["SC EXEMPLU SRL", "Numerar", "NU ESTE DOCUMENT FISCAL", "1.50 B"]) {
      expect(text).toContain(said);
    }
    await shop.owner.expect("PATCH", "/org", { currency: "EUR" });
  });

  test("keeps each fault's button where it was when its alert comes", async () => {
    await page.goto(`${box.gateway.url}/printers/${practice}/paper`);
    await page.getByRole("img", { name: "The paper of Training" }).waitFor();
    const button = page.getByRole("button", { name: "Open the cover" });
    const before = await button.boundingBox();
    await button.click();
    await page.getByText("The cover of Training is open").waitFor();
    expect(await button.boundingBox()).toEqual(before);
    await page.getByRole("button", { name: "Make everything right again" }).click();
    await page.getByText("every fault gone").waitFor();
  });
});
