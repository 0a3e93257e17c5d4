/** The page that takes a sale back: what it looks at before, and what is typed into it. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { until } from "../../e2e/harness/until.ts";
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
    await page.unrouteAll({ behavior: "wait" });
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

  /** A printer that the box simulates. @returns its id */
  async function practice(driver: string, model: string) {
    const wish = { name: `${driver} ${model}`, driver, model, locationId: "shop" };
    const { owner } = opened.shop;
    return (await owner.expect<{ id: string }>("POST", "/devices/simulated", wish)).id;
  }

  /** The id of the sale that a printer printed last. */
  async function lastSale(device: string) {
    const { receipts } = await opened.shop.owner.expect<{ receipts: { id: string }[] }>(
      "GET",
      `/devices/${device}/receipts?type=sale&limit=1`,
    );
    return receipts[0]?.id ?? "";
  }

  test.each([
    ["vendorA.isl", "ro-x"],
    ["vendorA.isl", "ro-legacy"],
  ])("is not offered on %s %s, which prints no reversals, and says why", async (driver, model) => {
    const { page, shop, box } = opened;
    const device = await practice(driver, model);
    expect((await sell(shop, device, { name: "Tea", price: 4.99 })).status).toBe("completed");
    const url = `${box.gateway.url}/receipts/${await lastSale(device)}`;
    await page.goto(url);
    await page.getByText("This printer prints no reversals.").waitFor();
    expect(await page.getByRole("button", { name: "Reversal" }).isDisabled()).toBe(true);
    expect(await page.getByRole("link", { name: "Reversal" }).count()).toBe(0);
    await page.goto(`${url}/reversal`);
    await page.getByText("This cannot be reversed here").waitFor();
    await page.getByText("This printer prints no reversals.").waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
  });

  test("offers cash alone where the printer pays back in nothing else, and says so", async () => {
    const { page, shop, box } = opened;
    const device = await practice("vendorB.isl", "dy");
    const tea = { name: "Tea", price: 4.99, method: "card" };
    expect((await sell(shop, device, tea)).status).toBe("completed");
    await page.goto(`${box.gateway.url}/receipts/${await lastSale(device)}/reversal`);
    await page.getByText("This printer cannot pay a reversal back this way: Card.").waitFor();
    const ways = page.getByLabel("Paid back");
    expect(await ways.locator("option").allTextContents()).toEqual(["Cash"]);
    expect(await faultsForReaders(page)).toEqual([]);
  });

  /** Everything that is left goes back in one of the ways that are offered. */
  async function takeBack(way: string) {
    const { page } = opened;
    await page.getByLabel("Paid back").selectOption({ label: way });
    await page.getByLabel("Return or complaint").check();
    await page.getByRole("button", { name: "Print the reversal" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Print the reversal" }).click();
    await dialog.waitFor({ state: "detached" });
  }

  /** The printer has answered: until then what goes back is only reserved. */
  const printedReversals = (count: number) =>
    until("the reversal in the books", async () => {
      const { receipts } = await opened.printer.books();
      return receipts.filter(({ kind }) => kind === "storno").length === count;
    });

  test("pays no more back by card than was paid by it, and the rest in cash", async () => {
    const { page, shop, box, device, printer } = opened;
    const sale = await shop.till.submit(device, "print_receipt", {
      uniqueSaleNumber: "DT000600-0009-0000001",
      items: [{ name: "Fig", price: 5, quantity: 2, vatGroup: "VAT2" }],
      payments: [
        { method: "card", amount: 6 },
        { method: "cash", amount: 4 },
      ],
    });
    await shop.till.wait(sale.id);
    await page.goto(`${box.gateway.url}/receipts/${await lastSale(device)}/reversal`);
    const ways = page.getByLabel("Paid back").locator("option");
    await page.getByRole("button", { name: "More of Fig" }).click();
    expect(await ways.allTextContents()).toEqual(["Cash", "Card"]);
    const before = (await printer.books()).receipts.filter(({ kind }) => kind === "storno").length;
    await takeBack("Card");
    await printedReversals(before + 1);
    await page.getByText("€5.00 of €10.00 can still be reversed.").waitFor();
    await page.getByText("Goes back: €0.00").waitFor();
    await page.getByRole("button", { name: "Everything that is left" }).click();
    await page.getByText("No more goes back in one way than was paid so").waitFor();
    expect(await ways.allTextContents()).toEqual(["Cash", "Card €1.00, the rest in cash €4.00"]);
    await takeBack("Card €1.00, the rest in cash €4.00");
    await page.getByText("Nothing is left to reverse").waitFor();
    await printedReversals(before + 2);
    const { receipts } = await printer.books();
    expect(receipts.slice(-2).map(({ payments }) => payments)).toMatchObject([
      [{ method: "card", amount: 500 }],
      [
        { method: "card", amount: 100 },
        { method: "cash", amount: 400 },
      ],
    ]);
  });

  test("goes back as it was paid, or not at all where less is left than was confirmed", async () => {
    const { page, shop, box, device, printer } = opened;
    const payments = [
      { method: "card", amount: 3 },
      { method: "cash", amount: 3 },
    ];
    const sale = await shop.till.submit(device, "print_receipt", {
      uniqueSaleNumber: "DT000600-0009-0000002",
      ...{ items: [{ name: "Coffee", price: 2, quantity: 3, vatGroup: "VAT2" }], payments },
    });
    await shop.till.wait(sale.id);
    const id = await lastSale(device);
    const stornos = async () =>
      (await printer.books()).receipts.filter(({ kind }) => kind === "storno");
    const before = (await stornos()).length;
    await page.goto(`${box.gateway.url}/receipts/${id}/reversal`);
    await page.getByRole("button", { name: "Everything that is left" }).click();
    // Between what was confirmed and what the box hears, another hand takes one coffee back.
    await page.route("**/storno", async (route) => {
      const lines = [{ line: 0, quantity: 1 }];
      const cash = [{ method: "cash", amount: 2 }];
      await shop.owner.expect("POST", `/receipts/${id}/storno`, {
        ...{ reason: "refund", lines, payments: cash },
      });
      await route.continue();
    });
    await takeBack("As it was paid");
    await page.getByText("This was not accepted, and nothing was printed.").waitFor();
    await page.getByText("€4.00 of €6.00 can still be reversed.").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await printedReversals(before + 1);
    expect((await stornos()).at(-1)?.payments).toMatchObject([{ method: "cash", amount: 200 }]);
  });

  test("brings it under the eyes that nobody knows what became of it", async () => {
    const { page, shop, box, device } = opened;
    await page.setViewportSize({ width: 360, height: 640 });
    await sell(shop, device, { name: "Pear", price: 3 });
    await page.goto(`${box.gateway.url}/receipts/${await lastSale(device)}/reversal`);
    await page.route("**/storno", (route) => route.abort("connectionreset"));
    await page.route(/\/commands\?.*sortOrder=asc/, (route) => route.abort("connectionreset"));
    await page.getByRole("button", { name: "Everything that is left" }).click();
    await page.getByLabel("Return or complaint").check();
    await page.getByRole("button", { name: "Print the reversal" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Print the reversal" }).click();
    await dialog.getByRole("button", { name: "Go back" }).last().click();
    await dialog.waitFor({ state: "detached" });
    const told = page.getByText("The box did not answer. It may have heard this all the same");
    await told.waitFor();
    await until("the notice under the eyes", async () => ((await told.boundingBox())?.y ?? -1) > 0);
    await page.unrouteAll({ behavior: "wait" });
    await page.getByText("The box has not heard this: nothing was done.").waitFor();
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test("asks about what goes back, and about nothing else once less is left", async () => {
    const { page, shop, box, device } = opened;
    await sell(shop, device, { name: "Fig", price: 2, quantity: 3 });
    const id = await lastSale(device);
    await page.goto(`${box.gateway.url}/receipts/${id}/reversal`);
    await page.getByRole("button", { name: "Everything that is left" }).click();
    await page.getByLabel("Return or complaint").check();
    await page.getByRole("button", { name: "Print the reversal" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Counter prints a reversal of €6.00.").waitFor();
    await shop.owner.expect("POST", `/receipts/${id}/storno`, {
      ...{ reason: "refund", lines: [{ line: 0, quantity: 1 }] },
    });
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Less of this sale is left by now.").waitFor();
    await page.getByText("Goes back: €4.00").waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await page.getByRole("button", { name: "Print the reversal" }).click();
    await dialog.getByText("Counter prints a reversal of €4.00.").waitFor();
    expect(await page.getByText("Less of this sale is left by now.").count()).toBe(0);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  test("is not offered of a sale in the currency before, and says what is left to do", async () => {
    const { page, shop, box, device } = opened;
    await sell(shop, device, { name: "Kiwi", price: 3 });
    const url = `${box.gateway.url}/receipts/${await lastSale(device)}`;
    await shop.owner.expect("PATCH", "/org", { currency: "RON" });
    await page.goto(url);
    await page.getByText("take this sale back with the printer's own keys.").waitFor();
    expect(await page.getByRole("button", { name: "Reversal" }).isDisabled()).toBe(true);
    await page.goto(`${url}/reversal`);
    await page.getByText("This cannot be reversed here").waitFor();
    await page.getByText("The shop sells in another currency now").waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await shop.owner.expect("PATCH", "/org", { currency: "EUR" });
    await page.goto(url);
    await page.getByRole("link", { name: "Reversal" }).waitFor();
  });

  test("keeps what was chosen when its printer refuses it", async () => {
    const { page, shop, box, device, printer } = opened;
    const plums = { name: "Plum", price: 3, quantity: 4, method: "card" };
    await sell(shop, device, plums);
    await page.goto(`${box.gateway.url}/receipts/${await lastSale(device)}/reversal`);
    const field = page.getByRole("textbox", { name: "How much of Plum goes back" });
    await field.fill("2,5");
    await printer.fault({ kind: "paper_out" });
    await takeBack("Cash");
    await page.getByText(/nothing was taken back: the sale stands as it was\.$/).waitFor();
    await page.getByText("Goes back: €7.50").waitFor();
    const reason = page.getByLabel("Return or complaint");
    const way = page.getByLabel("Paid back");
    expect([await field.inputValue(), await reason.isChecked(), await way.inputValue()]).toEqual([
      ...["2.5", true, "cash"],
    ]);
    await printer.clear();
    await takeBack("Cash");
    await page.getByText("€4.50 of €12.00 can still be reversed.").waitFor();
    await page.getByText("Goes back: €0.00").waitFor();
    expect(await reason.isChecked()).toBe(false);
  });
});
