/** A page that is loaded anew while the box is asked for something: nothing is done later by itself. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { browsers, faultsForReaders } from "./browser.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import { sell } from "./shop.ts";

const OVER = "It is asked no more; look at the requests";

describe.each(browsers())("a reload of the page", (path) => {
  let opened: OpenShop;
  let page: Page;

  beforeAll(async () => {
    opened = await openShop(path);
  });
  afterAll(() => opened?.close());
  beforeEach(async () => {
    const { context, ...own } = await opened.openAs();
    page = own.page;
    return () => context.close();
  });
  const url = (rest: string) => `${opened.box.gateway.url}/${rest}`;
  const closing = () => page.getByRole("region", { name: "Daily closing (Z)", exact: true });
  const asked = async (type: string) =>
    (await opened.shop.owner.expect<{ commands: object[] }>("GET", `/commands?type=${type}`))
      .commands.length;
  /** Presses the button of a question. @returns once the request is lost; heard by the box or not */
  async function press(name: string, way: { readonly route: string; readonly isHeard: boolean }) {
    const lost = Promise.withResolvers<void>();
    await page.route(way.route, async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      if (way.isHeard) await route.fetch();
      await route.abort("connectionreset");
      lost.resolve();
    });
    await page.getByRole("dialog").getByRole("button", { name }).click();
    await lost.promise;
  }
  async function pressZ(isHeard: boolean) {
    await page.goto(url(`printers/${opened.device}/actions`));
    await page.getByRole("button", { name: "Make the Z report" }).click();
    await press("Print the Z report", { route: "**/api/v1/commands", isHeard });
  }

  test("tells what became of a Z report whose answer was lost", async () => {
    const before = await asked("z_report");
    await pressZ(true);
    // Asked again before that, it would be answered: then there is nothing left to tell.
    await page.reload();
    await page.unroute("**/api/v1/commands");
    await closing().getByText("Printed", { exact: true }).waitFor();
    expect(await asked("z_report")).toBe(before + 1);
    // What was answered is over.
    await page.reload();
    await closing().getByRole("button", { name: "Make the Z report" }).waitFor();
    expect([await asked("z_report"), await page.evaluate("sessionStorage.length")]).toEqual([
      ...[before + 1, 0],
    ]);
  });

  test("asks nothing by itself, and pressed again it is the same wish", async () => {
    const before = await asked("z_report");
    const keys: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/commands")) {
        keys.push(request.headers()["idempotency-key"]);
      }
    });
    await pressZ(false);
    await page.reload();
    await page.unroute("**/api/v1/commands");
    await closing().getByText(OVER).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    const pressed = new Set(keys);
    expect([await asked("z_report"), pressed.size]).toEqual([before, 1]);
    await page.getByRole("button", { name: "Make the Z report" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Print the Z report" }).click();
    await closing().getByText("Printed", { exact: true }).waitFor();
    expect([await asked("z_report"), new Set(keys)]).toEqual([before + 1, pressed]);
  });

  test("prints no reversal by itself, and one when it is pressed again", async () => {
    await sell(opened.shop, opened.device, { name: "Coffee", price: 2, quantity: 3 });
    const { receipts } = await opened.shop.owner.expect<{ receipts: { id: string }[] }>(
      "GET",
      "/receipts?type=sale&limit=1",
    );
    await page.goto(url(`receipts/${receipts[0]?.id}/reversal`));
    await page.getByRole("button", { name: "More of Coffee" }).click();
    await page.getByLabel("Return or complaint").check();
    await page.getByRole("button", { name: "Print the reversal" }).click();
    await press("Print the reversal", { route: "**/storno", isHeard: false });
    await page.reload();
    await page.unroute("**/storno");
    await page.getByText("No answer from the box, and it may have heard the request.").waitFor();
    await page.getByText("€6.00 of €6.00 can still be reversed.").waitFor();
    await page.getByRole("button", { name: "More of Coffee" }).click();
    await page.getByLabel("Return or complaint").check();
    await page.getByRole("button", { name: "Print the reversal" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Print the reversal" }).click();
    await page.getByText("€4.00 of €6.00 can still be reversed.").waitFor();
    await page.getByText(/^Printed, number \d+\.$/).waitFor();
    const { receipts: stornos } = await opened.printer.books();
    expect(stornos.filter(({ kind }) => kind === "storno")).toHaveLength(1);
  });

  test("is not remembered once somebody logs out", async () => {
    await pressZ(false);
    const other = await page.context().newPage();
    await other.goto(url("more"));
    // It stands in the shell too.
    await other.getByRole("button", { name: "Sign out" }).first().click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
  });
});
