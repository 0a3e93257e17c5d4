/**
 * Takes the picture of the portal that README.md shows, docs/portal.png: bun scripts/portal-picture.ts.
 * A shop with one printer that works and one without paper, after some sales.
 */

import { join } from "node:path";
import { openPage, signIn, startBrowser } from "../src/portal/journeys/browser.ts";
import { requireBrowser } from "../src/portal/journeys/browser-place.ts";
import { type Box, openBox, order, sell, setUp } from "../src/portal/journeys/shop.ts";

const PICTURE = join(import.meta.dir, "..", "docs", "portal.png");
const SALES = [
  { name: "Coffee beans 250 g", price: 9.9, quantity: 2 },
  { name: "Bread", price: 1.6, method: "card" },
  { name: "Milk 3 %", price: 2.35 },
] as const;

/** @returns who logs in */
async function openShop(box: Box) {
  const { shop, printers } = await setUp(box, ["Counter", "By the door"]);
  await shop.owner.expect("PATCH", "/org", { name: "Corner Shop", currency: "EUR" });
  const [ready, noPaper] = printers;
  if (!ready || !noPaper) throw new Error("a printer is missing");
  for (const line of SALES) await sell(shop, ready.device, line);
  await noPaper.printer.fault({ kind: "paper_out" });
  const refused = await order(shop.till, noPaper.device, [SALES[0]]);
  await shop.till.wait(refused.id);
  return shop;
}

const program = requireBrowser();
const [browser, box] = await Promise.all([startBrowser(program), openBox()]);
try {
  const shop = await openShop(box);
  const { page, context } = await openPage(browser, { viewport: { width: 1024, height: 560 } });
  await signIn(context, box.gateway.url, shop);
  await page.goto(box.gateway.url);
  await page.locator("main table").waitFor();
  await page.screenshot({ path: PICTURE, animations: "disabled" });
} finally {
  await browser.close();
  await box.close();
}
