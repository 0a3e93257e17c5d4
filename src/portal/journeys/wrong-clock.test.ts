/** Clocks that are a day wrong: of a computer, where days are those of the box, and of a printer. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Shop } from "../../e2e/harness/gateway.ts";
import { startPrinter } from "../../e2e/harness/simulator.ts";
import { until } from "../../e2e/harness/until.ts";
import { browsers, openPage, signIn } from "./browser.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import { type Box, sell } from "./shop.ts";

const DAY_MS = 86_400_000;

describe.each(browsers())("the portal on a computer with a wrong clock", (path) => {
  let opened: OpenShop;
  let box: Box;
  let shop: Shop;

  beforeAll(async () => {
    opened = await openShop(path);
    ({ box, shop } = opened);
    await sell(shop, opened.device, { name: "Coffee", price: 2.5 });
  });
  afterAll(() => opened?.close());

  test.each([
    ["slow", -DAY_MS],
    ["fast", DAY_MS],
  ])("shows today's receipts and days where it is a day %s", async (_, offMs) => {
    const { page, context, complaints } = await openPage(opened.browser, { timezoneId: "UTC" });
    await context.clock.install({ time: Date.now() + offMs });
    await signIn(context, box.gateway.url, shop);
    await page.goto(`${box.gateway.url}/receipts?period=today`);
    await page.getByText("Coffee").waitFor();
    await page.goto(`${box.gateway.url}/reports`);
    const { timezone } = await shop.owner.expect<{ timezone: string }>("GET", "/org");
    const today = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone }).format(Date.now());
    const last = page.locator('input[type="date"]').last();
    await last.waitFor();
    expect(await last.inputValue()).toBe(today);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("lists and adds up by the box's clock, where a printer's clock is days fast", async () => {
    const run = async (type: string, payload = {}) => {
      const { id } = await shop.till.submit(opened.device, type, payload);
      expect((await shop.till.wait(id)).status).toBe("completed");
    };
    await run("z_report");
    await run("set_datetime", { datetime: new Date(Date.now() + 3 * DAY_MS).toISOString() });
    await sell(shop, opened.device, { name: "Tea", price: 4 });
    const { page } = opened;
    // All of them, and those of today: it is the same day, and the one that Today shows.
    for (const address of ["receipts", "receipts?period=today"]) {
      await page.goto(`${box.gateway.url}/${address}`);
      await page.getByText("Tea").waitFor();
      const heads = page.getByRole("heading", { level: 2 });
      await until("the sum of the day", async () => {
        const texts = await heads.allTextContents();
        return texts.length === 1 && texts[0]?.endsWith("2 receipts €6.50");
      });
    }
    const today = await shop.owner.expect<{ sales: { totals: { net: number }[] } }>(
      "GET",
      "/today",
    );
    expect(today.sales.totals.map(({ net }) => net)).toEqual([6.5]);
  });

  test("shows behind which receipt unknown ones lie, where the former printer's clock was fast", async () => {
    const { device, page } = opened;
    const next = await startPrinter({ stateFile: join(box.folder, "next"), driver: "vendorA.isl" });
    const { host, port } = next;
    const path = `/devices/${device}`;
    await shop.owner.expect("PATCH", path, { connectionParams: { host, port } });
    await until("the next printer", async () => {
      return (await shop.owner.call("POST", `${path}/accept-printer`)).status === 200;
    });
    expect((await sell(shop, device, { name: "Milk", price: 7 })).status).toBe("completed");
    const { receipts } = await shop.owner.expect<{ receipts: { issuedAt: string }[] }>(
      ...(["GET", `${path}/receipts?q=Milk`] as const),
    );
    await page.route("**/api/v1/devices/*/alerts", async (route) => {
      const answer = await route.fetch();
      const alert = { type: "documents_unknown", severity: "warning", message: "", documents: 1 };
      const of = { deviceId: device, deviceName: "Counter", since: receipts[0]?.issuedAt };
      const alerts = [{ ...alert, ...of, detectedAt: new Date().toISOString() }];
      await route.fulfill({ json: { ...(await answer.json()), alerts } });
    });
    try {
      await page.goto(`${box.gateway.url}/printers/${device}/manage`);
      const facts = page.locator("dl > div");
      await facts.filter({ hasText: "Last known here" }).getByText("€7.00").waitFor();
      expect(await facts.filter({ hasText: "€4.00" }).count()).toBe(0);
    } finally {
      await page.unrouteAll({ behavior: "wait" });
      await next.kill();
    }
  });
});
