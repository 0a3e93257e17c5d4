/** The box looked after in a browser: set-up's last step, a backup at once, how one is put back. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Shop } from "../../e2e/harness/gateway.ts";
import { runToEnd } from "../../e2e/harness/run-to-end.ts";
import { withDatabase } from "../../e2e/harness/stopped-shop.ts";
import { until } from "../../e2e/harness/until.ts";
import { browsers, faultsForReaders, openPage } from "./browser.ts";
import { pressOn, tabTo } from "./keyboard.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import type { Box } from "./shop.ts";

const ARGS = ["--backup-work-factor", "10", "--update-from", "/nowhere"];

describe.each(browsers())("the box", (path) => {
  let opened: OpenShop;
  let box: Box;
  let page: Page;
  let shop: Shop;
  let complaints: readonly string[];

  beforeAll(async () => {
    opened = await openShop(path, { args: ARGS });
    ({ box, page, shop, complaints } = opened);
  });
  afterAll(() => opened?.close());
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const saved = () => page.getByText("Saved", { exact: true });

  test("is made safe in set-up's last step, by the keys alone", async () => {
    // One of which nobody has said yet how it is backed up.
    const fresh = await openShop(path, { args: ARGS });
    try {
      await makeSafe(fresh);
      expect(fresh.complaints).toEqual([]);
    } finally {
      await fresh.close();
    }
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

  test("tells, first thing, that no backup is made any more where the passphrase is gone", async () => {
    await shop.owner.expect("PATCH", "/backups/settings", { passphrase: "of another day" });
    rmSync(join(box.folder, "state/fiscald.passphrase"));
    await page.goto(`${box.gateway.url}/`);
    await page.getByText(/No backup is made: its passphrase is not on this box/).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await page.getByRole("link", { name: "Backup", exact: true }).click();
    await page
      .getByRole("alert")
      .getByText(/No backup is made any more/)
      .waitFor();
    await page.getByText("Failed", { exact: true }).waitFor();
  });

  test("tells, first thing, that an update was broken off, and what to type", async () => {
    const command = "sudo fiscald update /root/fiscald-1.3.0-linux-x64.tar.gz";
    const brokenOff = { to: "1.3.0", since: "2026-11-27T20:31:00Z", command };
    const finding = { code: "update_broken_off", params: {} };
    // The box of this shop is no installed one, whose state alone tells it.
    await page.route("**/api/v1/health", async (route) => {
      const told = await (await route.fetch()).json();
      const update = { status: "degraded", findings: [finding] };
      await route.fulfill({ json: { ...told, checks: { ...told.checks, update } } });
    });
    await page.route("**/api/v1/update", async (route) => {
      const told = await (await route.fetch()).json();
      await route.fulfill({ json: { ...told, brokenOff } });
    });
    await page.goto(`${box.gateway.url}/settings/about`);
    await page.getByText(/An update was broken off: the box is between two versions/).waitFor();
    await page.goto(`${box.gateway.url}/`);
    await page.getByText(/An update was broken off: the box is between two versions/).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await page.getByRole("link", { name: "Update", exact: true }).click();
    await page
      .getByRole("alert")
      .getByText(/^The update to 1\.3\.0 of /)
      .waitFor();
    await page.getByText(command, { exact: true }).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await page.unrouteAll({ behavior: "wait" });
  });

  test("tells, first thing and with the backups, that the live copy elsewhere stands still", async () => {
    const params = { at: "2026-11-27T20:31:00.000Z" };
    let findings: object[] = [{ code: "replica_stalled", params }];
    await page.route("**/api/v1/health", async (route) => {
      const told = await (await route.fetch()).json();
      const replica = { status: findings.length === 0 ? "ok" : "degraded", findings };
      await route.fulfill({ json: { ...told, checks: { ...told.checks, replica } } });
    });
    const stalled = /The live copy elsewhere stands still: it may lack everything since /;
    await page.goto(`${box.gateway.url}/`);
    await page.getByRole("status").getByText(stalled).waitFor();
    await page.getByRole("link", { name: "Backup", exact: true }).last().click();
    await page.getByRole("alert").getByText(stalled).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    findings = [];
    await page.reload();
    await page.getByText("is also copied to another place, at once").waitFor();
    await page.unrouteAll({ behavior: "wait" });
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
    const code = page.getByRole("img", { name: `QR code of ${box.gateway.url}/` });
    const only = page.getByText("Only programs on the box itself reach it");
    await page.route("**/api/v1/network", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), onlyHere: false } });
    });
    await page.goto(`${box.gateway.url}/settings/network`);
    await code.waitFor();
    expect(await code.evaluate((image) => "naturalWidth" in image && image.naturalWidth)).not.toBe(
      0,
    );
    expect(await only.count()).toBe(0);
    await page.unrouteAll({ behavior: "wait" });
    // A phone that opened the address of a box which listens to no network would ask itself.
    await page.reload();
    await only.waitFor();
    expect(await code.count()).toBe(0);
    // This one was started by hand, with the address as a flag.
    await page.getByText("--http-listen was given where fiscald is started").waitFor();
    await page.getByText(`--http-listen=0.0.0.0:${new URL(box.gateway.url).port}`).waitFor();
    await page.getByText("Change this at the box").last().click();
    await page
      .getByText(/Put this into .*\/state\/fiscald\.toml on the box/)
      .last()
      .waitFor();
    expect(await page.getByText("systemctl").count()).toBe(0);
    expect(await faultsForReaders(page)).toEqual([]);
    await page.goto(`${box.gateway.url}/settings/update`);
    await button("Look now").click();
    await page.getByText("The box knows nobody whose releases it takes").waitFor();
    await page.getByText(/^It looks at /).waitFor();
    expect(await page.getByText("--key").count()).toBe(0);
    expect(await faultsForReaders(page)).toEqual([]);
  });

  test("says on whatever page that its stored data is gone, and what helps", async () => {
    const ruined = await openShop(path, { args: ARGS });
    try {
      const file = join(ruined.box.folder, "state/fiscald.db");
      await ruined.page.goto(`${ruined.box.gateway.url}/`);
      await ruined.page.getByRole("heading", { name: "Today", level: 1 }).waitFor();
      withDatabase(file, (database) => database.run("DROP TABLE closings"));
      const at = `${ruined.box.gateway.url}/health`;
      const told = (of: Page) =>
        of.getByText(/stored data is damaged or gone.*fiscald doctor/).waitFor({ timeout: 30_000 });
      await until("the loss to be noticed", async () => (await fetch(at)).status === 503);
      // On the page that stands open, on one that is opened, and to whoever signs in.
      await told(ruined.page);
      await ruined.page.goto(`${ruined.box.gateway.url}/printers`);
      await told(ruined.page);
      const { page: theirs, context } = await openPage(ruined.browser);
      await theirs.goto(`${ruined.box.gateway.url}/login`);
      await theirs.getByLabel("Email").fill("ana@shop.example");
      await theirs.getByLabel("Password", { exact: true }).fill("a password of hers");
      await theirs.keyboard.press("Enter");
      await told(theirs);
      await context.close();
    } finally {
      await ruined.close();
    }
  });

  test("never broke its own rules on the way", () => {
    expect(complaints).toEqual([]);
  });
});

async function makeSafe({ box, page, shop }: OpenShop): Promise<void> {
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const saved = page.getByText("Saved", { exact: true });
  await page.goto(`${box.gateway.url}/setup/safety`);
  await button("Suggest one").waitFor();
  expect(await button("Save").first().isDisabled()).toBe(true);
  await pressOn(page, button("Suggest one"));
  const passphrase = await field("Passphrase").inputValue();
  expect(passphrase).toMatch(/^([a-z]{4}-){5}[a-z]{4}$/);
  await tabTo(page, field("I have written it on paper"));
  await page.keyboard.press("Space");
  await pressOn(page, button("Save").first());
  await saved.waitFor();
  await page.getByText("A passphrase is kept on the box.").waitFor();
  expect(await page.content()).not.toContain(passphrase);
  await tabTo(page, field("At what time"));
  await page.keyboard.type("20:30");
  await tabTo(page, field("The box makes the Z reports by itself at that time"));
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await saved.nth(1).waitFor();
  expect(await shop.owner.expect<object>("GET", "/org")).toMatchObject({
    ...{ closingTime: "20:30", closingAutomatic: true },
  });
  expect(await faultsForReaders(page)).toEqual([]);
  await pressOn(page, button("Done"));
  await page.getByText("No receipt yet today").waitFor();
}
