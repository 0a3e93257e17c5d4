/** What the printer's last receipt says of a doubtful one, and beside those that the box knows. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closingOf } from "../../e2e/harness/aims.ts";
import { registerDevice } from "../../e2e/harness/gateway.ts";
import { browsers } from "./browser.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import { sell, sellInDoubt } from "./shop.ts";

const TEA = { name: "Tea", price: 1, vatGroup: "VAT1" };
const CAKE = { name: "Cake", price: 4, vatGroup: "VAT1" };

describe.each(browsers())("a printer's last receipt", (path) => {
  let opened: OpenShop;
  beforeAll(async () => {
    opened = await openShop(path);
  });
  afterAll(() => opened?.close());

  async function addPrinter(driver: string) {
    const printer = await opened.box.printer(driver);
    const { host, port } = printer;
    const device = await registerDevice(opened.shop.owner, { driver, host, port }, driver);
    return { printer, device };
  }

  /** A sale, and papers that are counted as documents, and not as sales. */
  async function sellAndReport(device: string): Promise<void> {
    const { till } = opened.shop;
    await sell(opened.shop, device, TEA);
    for (let times = 0; times < 3; times += 1) {
      await till.wait((await till.submit(device, "x_report")).id);
    }
  }

  /** Goes to the page on which an owner compares both, as it is while the printer is ahead. */
  async function compare(deviceId: string) {
    const { page, box } = opened;
    await page.route("**/api/v1/devices/*/alerts", async (route) => {
      const held = { type: "state_restored", severity: "error", message: "", deviceId };
      const alerts = [{ ...held, deviceName: "Kiosk", detectedAt: new Date().toISOString() }];
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), alerts } });
    });
    await page.goto(`${box.gateway.url}/printers/${deviceId}/manage`);
    return (name: string) => page.locator("dl > div").filter({ hasText: name });
  }

  test("never speaks for a No where the doubtful one was printed, by a printer that counts sales", async () => {
    const { box, shop, page } = opened;
    const { device, printer } = await addPrinter("vendorF.shtrih");
    await sellAndReport(device);
    const doubtful = await sellInDoubt(shop, { device, printer }, CAKE);
    expect(doubtful.result?.data).toMatchObject({ outcome: "unknown" });
    await page.goto(`${box.gateway.url}/doubtful/${doubtful.id}`);
    await page.getByRole("button", { name: "I can't tell: show me how to find out" }).click();
    await page.getByRole("button", { name: "Ask the printer" }).click();
    await page.getByText("Its last receipt has number 4.").waitFor();
    await page.getByText("The number known before is 2. That is another one").waitFor();
    expect(await page.getByText("probably no").count()).toBe(0);
  });

  test("has a number that counts as that of the box does: of a sale, and of its day", async () => {
    for (const [driver, number] of [
      ["vendorF.shtrih", "no. 2"],
      ["custom.serial", "no. 2 of the day of Z 1"],
    ] as const) {
      const { device } = await addPrinter(driver);
      await sellAndReport(device);
      await sell(opened.shop, device, TEA);
      const fact = await compare(device);
      await fact("Last at the printer").getByText(number, { exact: false }).waitFor();
      await fact("Last known here").getByText(`${number} · €1.00`).waitFor();
      await opened.page.unrouteAll({ behavior: "wait" });
    }
  });

  test("is asked of what was paid a cent off by the total on the paper", async () => {
    const { box, shop, page, device, printer } = opened;
    const { till } = shop;
    const paid = (amount: number) => ({
      items: [{ name: "Book", price: 10, quantity: 1, vatGroup: "VAT2" }],
      uniqueSaleNumber: "DT000600-0001-0009999",
      payments: [{ method: "cash", amount }],
    });
    await till.wait((await till.submit(device, "print_receipt", paid(10))).id);
    const then = { when: "after", ...closingOf(printer) };
    await printer.fault({ kind: "other_hands", deed: "ring_up", amountMinor: 100, ...then });
    await printer.fault({ kind: "unplug", ms: 100, ...then });
    const { id } = await till.submit(device, "print_receipt", paid(9.99));
    expect((await till.wait(id)).result?.data).toMatchObject({ outcome: "unknown" });
    await page.goto(`${box.gateway.url}/doubtful/${id}`);
    await page.getByRole("button", { name: "I can't tell: show me how to find out" }).click();
    await page.getByText("€10.00").first().waitFor();
    expect(await page.getByText("€9.99").count()).toBe(0);
  });

  test("never broke the pages' own rules on the way", () => {
    expect(opened.complaints).toEqual([]);
  });
});
