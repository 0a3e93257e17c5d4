/** Buttons that are pressed while the box is away: what they say, and that nothing happens later. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { browsers, faultsForReaders } from "./browser.ts";
import { type OpenShop, openShop } from "./open-shop.ts";

describe.each(browsers())("a button of a box that is away", (path) => {
  let opened: OpenShop;

  beforeAll(async () => {
    opened = await openShop(path);
  });
  afterAll(() => opened?.close());

  test("says what its owner alone may, in place of having it tried again", async () => {
    const { box, page, device } = opened;
    const error = { code: "FORBIDDEN", message: "Not for this role" };
    await page.route("**/api/v1/commands", (route) =>
      route.fulfill({ status: 403, json: { error } }),
    );
    await page.goto(`${box.gateway.url}/printers/${device}/actions`);
    await page.getByRole("button", { name: "Print the X report" }).click();
    const refused = page.getByText("You may not do this. Ask the owner");
    await refused.waitFor();
    // Where a dialog has asked, it says so alone, and the page once that is gone.
    await page.reload();
    await page.getByRole("button", { name: "Make the Z report" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Print the Z report" }).click();
    await dialog.getByText("You may not do this. Ask the owner").waitFor();
    expect(await refused.count()).toBe(1);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await refused.count()).toBe(1);
    await page.unroute("**/api/v1/commands");
  });

  test("says so, can be given up, and does nothing by itself once the box is back", async () => {
    const { box, page, shop, device } = opened;
    await page.goto(`${box.gateway.url}/printers/${device}/actions`);
    await page.getByText("live", { exact: true }).waitFor({ timeout: 30_000 });
    const part = (name: string) => page.getByRole("region", { name, exact: true });
    const [drawer, reading] = [part("Drawer"), part("Daily reading (X)")];
    await drawer.getByRole("button", { name: "Open the drawer" }).waitFor();
    await box.killGateway();
    await drawer.getByRole("button", { name: "Open the drawer" }).click();
    await reading.getByRole("button", { name: "Print the X report" }).click();
    const late = "The box does not answer. It is asked for a few seconds more";
    await drawer.getByText(late).waitFor();
    // It is there for ten seconds only.
    await reading.getByRole("button", { name: "Go back" }).click();
    const over = "It may have heard this all the same";
    await reading.getByText(over).waitFor();
    // Nobody goes back from this one: it ends by itself while somebody stands at the drawer.
    await drawer.getByText(over).waitFor({ timeout: 60_000 });
    expect(await faultsForReaders(page)).toEqual([]);
    await box.restartGateway();
    await page.getByText("live", { exact: true }).waitFor({ timeout: 60_000 });
    type Commands = { commands: { source: string }[] };
    const { commands } = await shop.owner.expect<Commands>("GET", "/commands");
    // The gateway itself asks its printer what that has printed.
    expect(commands.filter(({ source }) => source !== "gateway")).toEqual([]);
  });
});
