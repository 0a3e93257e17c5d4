/** The box looked after in a browser: set-up's last step, a backup at once, how one is put back. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { Shop } from "../../e2e/harness/gateway.ts";
import { runToEnd } from "../../e2e/harness/run-to-end.ts";
import { browsers, faultsForReaders, openPage, signIn, startBrowser } from "./browser.ts";
import { type Box, openBox, setUp } from "./shop.ts";

describe.each(browsers())("the box", (path) => {
  let box: Box;
  let browser: Browser;
  let page: Page;
  let shop: Shop;
  let complaints: readonly string[];

  beforeAll(async () => {
    const args = ["--backup-work-factor", "10", "--update-from", "/nowhere"];
    [box, browser] = await Promise.all([openBox(args), startBrowser(path)]);
    ({ shop } = await setUp(box, []));
    let context: Awaited<ReturnType<typeof openPage>>["context"];
    ({ page, context, complaints } = await openPage(browser));
    await signIn(context, box.gateway.url, shop);
  });
  afterAll(async () => {
    await browser.close();
    await box.close();
  });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const saved = () => page.getByText("Saved", { exact: true });
  /** Goes on by the Tab key until that has the focus. */
  const tabTo = async (label: string) => {
    const target = page.getByLabel(label, { exact: true }).or(button(label)).first();
    for (let steps = 0; steps < 60; steps += 1) {
      if (await target.evaluate((element) => element === element.ownerDocument.activeElement))
        return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`the keyboard does not come to ${label}`);
  };

  test("is made safe in set-up's last step, by the keys alone", async () => {
    await page.goto(`${box.gateway.url}/setup/safety`);
    await button("Suggest one").waitFor();
    expect(await button("Save").first().isDisabled()).toBe(true);
    await tabTo("Suggest one");
    await page.keyboard.press("Enter");
    const passphrase = await page.getByLabel("Passphrase").inputValue();
    expect(passphrase).toMatch(/^([a-z]{4}-){5}[a-z]{4}$/);
    await tabTo("I have written it on paper");
    await page.keyboard.press("Space");
    await tabTo("Save");
    await page.keyboard.press("Enter");
    await saved().waitFor();
    await page.getByText("A passphrase is kept on the box.").waitFor();
    expect(await page.content()).not.toContain(passphrase);
    await tabTo("Closing time");
    await page.keyboard.type("20:30");
    await tabTo("The box makes the Z reports by itself at that time");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await saved().nth(1).waitFor();
    expect(await shop.owner.expect<object>("GET", "/org")).toMatchObject({
      ...{ closingTime: "20:30", closingAutomatic: true },
    });
    expect(await faultsForReaders(page)).toEqual([]);
    await tabTo("Done");
    await page.keyboard.press("Enter");
    await page.getByText("No receipt yet today").or(page.getByText("No printer")).first().waitFor();
  });

  test("makes a backup at once, lists it, and tells how it is put back", async () => {
    const passphrase = "on a sheet of paper";
    await shop.owner.expect("PATCH", "/backups/settings", { passphrase });
    await page.goto(`${box.gateway.url}/settings/backup`);
    await button("Back up now").click();
    await page.getByText("Checked", { exact: true }).waitFor();
    await page.getByText("Backed up", { exact: true }).waitFor();
    const line = await page.getByText(/ restore .* --state-dir /).textContent();
    const [, file = ""] = / restore (\S+) /.exec(line ?? "") ?? [];
    expect(await faultsForReaders(page)).toEqual([]);
    // What the page says to type works, with the passphrase that stood in it.
    await box.killGateway();
    const kept = readFileSync(join(box.folder, "state/fiscald.passphrase"), "utf8");
    expect(kept).toBe(`${passphrase}\n`);
    const words = [...(line ?? "").trim().split(" "), "--passphrase-stdin"];
    expect(file).toEndWith(".age");
    // From any folder, though the gateway was started in another one.
    expect((await runToEnd(words, { stdin: kept, cwd: "/" })).code).toBeLessThan(2);
    await box.restartGateway();
  });

  test("is backed up at an hour of the shop's own clock", async () => {
    await shop.owner.expect("PATCH", "/backups/settings", { passphrase: "of another day" });
    await page.goto(`${box.gateway.url}/settings/backup`);
    const hour = page.getByLabel("Every day at");
    await hour.selectOption("04:00");
    await button("Save").click();
    await saved().waitFor();
    const { nextAt } = await shop.owner.expect<{ nextAt: string }>("GET", "/backups");
    const { timezone } = await shop.owner.expect<{ timezone: string }>("GET", "/org");
    const clock = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, timeStyle: "short" });
    expect(clock.format(new Date(nextAt))).toBe("04:00");
    expect(await hour.locator("option:checked").textContent()).toBe("04:00");
  });

  test("shows its addresses with codes, and its version", async () => {
    await page.goto(`${box.gateway.url}/settings/network`);
    const code = page.getByRole("img", { name: `QR code of ${box.gateway.url}/` });
    await code.waitFor();
    expect(await code.evaluate((image) => "naturalWidth" in image && image.naturalWidth)).not.toBe(
      0,
    );
    expect(await faultsForReaders(page)).toEqual([]);
    await page.goto(`${box.gateway.url}/settings/update`);
    await button("Look now").click();
    await page.getByText("The list of versions could not be read").waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
  });

  test("never broke its own rules on the way", () => {
    expect(complaints).toEqual([]);
  });
});
