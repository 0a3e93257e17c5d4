/** The page that takes a sale back: what it looks at before, and what is typed into it. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { browsers, faultsForReaders } from "./browser.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import { sell } from "./shop.ts";

/** More than one page of a list. */
const OTHERS = 101;
const HAM = { name: "Ham", price: 20, quantity: 2, vatGroup: "VAT2" };

describe.each(browsers())("the page that takes a sale back", (path) => {
  let opened: OpenShop;
  let saleId: string;

  beforeAll(async () => {
    opened = await openShop(path);
    const { shop, device } = opened;
    await sell(shop, device, HAM);
    const { receipts } = await shop.owner.expect<{ receipts: { id: string }[] }>(
      "GET",
      "/receipts?type=sale&limit=1",
    );
    saleId = receipts[0]?.id ?? "";
  });
  afterAll(() => opened?.close());

  /** Tells the box of a receipt that was made elsewhere. @returns its id */
  async function store(fiscalId: string, quantity: number, originalReceiptId?: string) {
    const body = {
      ...{ deviceId: opened.device, fiscalId, items: [{ ...HAM, quantity }] },
      ...{ payments: [{ method: "cash", amount: HAM.price * quantity }] },
      ...(originalReceiptId === undefined
        ? { type: "sale" }
        : { type: "refund", originalReceiptId }),
    };
    const { shop } = opened;
    return (await shop.till.expect<{ receipt: { id: string } }>("POST", "/receipts", body)).receipt
      .id;
  }
  const open = () => opened.page.goto(`${opened.box.gateway.url}/receipts/${saleId}/reversal`);

  test("knows what went back, however much of others went back before", async () => {
    const other = await store("other", OTHERS);
    for (let one = 0; one < OTHERS; one += 1) await store(`back ${one}`, 1, other);
    await store("back of the ham", 1, saleId);
    await open();
    await opened.page.getByText("€20.00 of €40.00 can still be reversed.").waitFor();
  });

  test("is looked for by an amount of which there are more than the search lists", async () => {
    const { page } = opened;
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Search" }).fill("20,00");
    await page
      .getByRole("option", { name: /^Refund back/ })
      .first()
      .waitFor();
    expect(await page.getByRole("option", { name: /^Refund back/ }).count()).toBe(5);
    await page.getByRole("option", { name: "More receipts like this" }).click();
    await page.getByRole("heading", { name: "Receipts", level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("20,00");
  });

  test("says that it cannot be read what went back, and tries again", async () => {
    const { page } = opened;
    await page.route(/\/api\/v1\/receipts\?/, (route) =>
      route.fulfill({ status: 400, json: { error: { code: "VALIDATION_ERROR", message: "No" } } }),
    );
    await open();
    await page.getByText("The box could not show this").waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("€20.00 of €40.00 can still be reversed.").waitFor();
  });

  test("takes a quantity with a comma or a point, and says what is none", async () => {
    const { page } = opened;
    await open();
    const field = page.getByRole("textbox", { name: "How much of Ham goes back" });
    const print = page.getByRole("button", { name: "Print the reversal" });
    await page.getByLabel("Return or complaint").check();
    for (const half of ["0,5", "0.5"]) {
      await field.fill(half);
      await page.getByText("Goes back: €10.00").waitFor();
      expect([await field.inputValue(), await print.isEnabled()]).toEqual([half, true]);
    }
    for (const wrong of ["1.234,5", "1,234.5", "1,000", "half"]) {
      await field.fill(wrong);
      await page.getByText("Not a quantity: write it as 1.5").waitFor();
      expect([await field.inputValue(), await print.isEnabled()]).toEqual([wrong, false]);
    }
    expect(await faultsForReaders(page)).toEqual([]);
    await page.getByRole("button", { name: "Everything that is left" }).click();
    await page.getByText("Goes back: €20.00").waitFor();
    expect([await field.inputValue(), await print.isEnabled()]).toEqual(["1", true]);
  });

  test("calls each of two same lines by where it stands, for who hears the page", async () => {
    const { page, shop, device } = opened;
    await sell(shop, device, { name: "Egg", price: 1 }, { name: "Egg", price: 1 });
    const { receipts } = await shop.owner.expect<{ receipts: { id: string }[] }>(
      "GET",
      "/receipts?type=sale&limit=1",
    );
    await page.goto(`${opened.box.gateway.url}/receipts/${receipts[0]?.id}/reversal`);
    await page.getByRole("textbox", { name: "How much of Egg, line 1 goes back" }).waitFor();
    await page.getByRole("button", { name: "More of Egg, line 2" }).click();
    await page.getByText("Goes back: €1.00").waitFor();
  });
});
