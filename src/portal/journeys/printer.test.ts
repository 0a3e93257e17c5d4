/** The life of a printer in a browser: set up, looked into, out of order, moved and removed. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { closingOf } from "../../e2e/harness/aims.ts";
import type { Shop } from "../../e2e/harness/gateway.ts";
import { type SimulatedPrinter, startPrinter } from "../../e2e/harness/simulator.ts";
import { until } from "../../e2e/harness/until.ts";
import { browsers, faultsForReaders } from "./browser.ts";
import { DOUBTFUL } from "./forged.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import { addPrinter, type Box, order, sell } from "./shop.ts";

const COFFEE = { name: "Coffee", price: 2.5 };
/** A dark disc on white, as a shop may draw its sign. */
const SIGN = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="80"><rect width="320"
height="80" fill="#fff"/><circle cx="40" cy="40" r="30" fill="#222"/></svg>`;

describe.each(browsers())("a printer of the shop", (path) => {
  let opened: OpenShop;
  let box: Box;
  let page: Page;
  let shop: Shop;
  let printer: SimulatedPrinter;
  let device: string;
  let complaints: readonly string[];

  beforeAll(async () => {
    opened = await openShop(path);
    ({ box, page, complaints, shop, printer, device } = opened);
  });
  afterAll(() => opened?.close());
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const link = (name: string) => page.getByRole("link", { name, exact: true });
  const at = (rest: string) => page.goto(`${box.gateway.url}/printers/${device}/${rest}`);
  const saved = () => page.getByText("Saved", { exact: true }).waitFor();

  test("has its receipts drawn as wide as its paper before anybody asked how wide that is", async () => {
    await sell(shop, device, COFFEE);
    await at("");
    // Until the page knows the printer's own width, a picture has the usual one of 48.
    await page
      .locator("main pre span")
      .filter({ hasText: /^-{46}\s*$/ })
      .first()
      .waitFor();
    const asked = "/commands?type=get_header_footer_capabilities";
    expect((await shop.owner.expect<{ commands: object[] }>("GET", asked)).commands).toEqual([]);
  });

  test("prints the header that was typed on its next receipt, as the preview showed it", async () => {
    await at("setup");
    const header = page.getByLabel("Above the receipt");
    await header.press("Control+A");
    await page.keyboard.type("Corner Shop\nMain Street 1");
    await button("Centre the lines").first().press("Enter");
    const line = `${" ".repeat(17)}Corner Shop`;
    const preview = (await page.locator("main pre").textContent()) ?? "";
    expect(preview).toContain(line);
    const [rule = ""] = /^-+$/m.exec(preview) ?? [];
    expect(await faultsForReaders(page)).toEqual([]);
    await button("Save").press("Enter");
    await saved();
    await sell(shop, device, COFFEE);
    expect(await printer.paper()).toContain(line);
    // Once the page has read from the printer what it has now, which waits for the sale.
    await page.getByRole("button", { name: "Save", exact: true, disabled: true }).waitFor();
    // It has said how wide its paper is, and its receipts are drawn so.
    await link("Now").click();
    await page.getByText(rule, { exact: true }).first().waitFor();
    expect(rule.length).toBeLessThan(48);
  });

  test("takes nothing that is typed between what it stored and the reading of that", async () => {
    await at("setup");
    const header = page.getByLabel("Above the receipt");
    await header.fill("Corner Shop 2");
    const { promise: isLet, resolve: letGo } = Promise.withResolvers<void>();
    const path = "**/api/v1/devices/*/header-footer";
    await page.route(path, async (route) => {
      if (route.request().method() === "GET") await isLet;
      await route.fallback();
    });
    const isAsked = page.waitForRequest(path);
    await button("Save").click();
    await isAsked;
    expect(await header.isDisabled()).toBe(true);
    letGo();
    await saved();
    await page.unrouteAll({ behavior: "wait" });
    expect([await header.inputValue(), await header.isEnabled()]).toEqual(["Corner Shop 2", true]);
    expect(await button("Leave as it was").count()).toBe(0);
  });

  test("takes a logo as it was shown, an operator's name, and a VAT rate after a question", async () => {
    await at("setup?part=logo");
    await page.locator('main input[type="file"]').setInputFiles({
      ...{ name: "sign.svg", mimeType: "image/svg+xml", buffer: Buffer.from(SIGN) },
    });
    await page.getByText("384 × 96 dots").waitFor();
    await button("Send to the printer").click();
    await saved();
    await link("Operators").click();
    await button("Change no. 2").press("Enter");
    await page.getByLabel("Name").fill("Maria");
    await page.keyboard.press("Enter");
    await saved();
    await page.getByText("Maria").waitFor();
    await shop.till.wait((await shop.till.submit(device, "z_report")).id);
    await link("VAT rates").click();
    await button("Change the rates").press("Enter");
    await page.getByLabel("Rate of Group Б").fill("21");
    await button("Program the printer").press("Enter");
    const question = page.getByRole("dialog");
    await question.getByText("21 %").waitFor();
    await question.getByRole("button", { name: "Program the printer" }).click();
    await saved();
    const { rates } = await shop.owner.expect<{
      rates: { group: string; rate: number; enabled: boolean }[];
    }>("GET", `/devices/${device}/vat-rates`);
    expect(rates).toContainEqual({ group: "VAT2", rate: 21, enabled: true });
  });

  test("shows a sale's frames as they pass, holds still, looks for some, and saves them", async () => {
    await at("line");
    await page.getByText("live", { exact: true }).nth(1).waitFor();
    await sell(shop, device, { name: "Lemonade", price: 3 });
    const rows = page.getByRole("list", { name: "Line" }).getByRole("listitem");
    await rows.filter({ hasText: "Lemonade" }).first().waitFor();
    await button("Pause").press("Enter");
    await sell(shop, device, { name: "Mineral water", price: 1 });
    await page.getByText(/^Paused, [1-9]\d* came since$/).waitFor();
    expect(await rows.filter({ hasText: "Mineral water" }).count()).toBe(0);
    await button("Go on").press("Enter");
    await rows.filter({ hasText: "Mineral water" }).first().waitFor();
    await page.getByRole("searchbox").fill("lemonade");
    await expectCount(1);
    await page.getByLabel("Which ones").selectOption("in");
    await page.getByText("Nothing like this has passed.").waitFor();
    await page.getByLabel("Which ones").selectOption("out");
    await expectCount(1);
    expect(await faultsForReaders(page)).toEqual([]);
    const saving = page.waitForEvent("download");
    await button("Save as a file").click();
    const file = readFileSync(await (await saving).path(), "utf8");
    expect(file).toMatch(/→ 49 sale #..h {2}"Lemonade/);

    async function expectCount(count: number): Promise<void> {
      await rows.nth(count).waitFor({ state: "detached" });
      expect(await rows.count()).toBe(count);
    }
  });

  test("is found by the keys alone: what is done at it, its page, and its receipts", async () => {
    const lines = { header: ["Corner Shop"], footer: [] };
    await shop.owner.expect("POST", `/devices/${device}/header-footer`, lines);
    await sell(shop, device, { name: "Orange juice", price: 3.35 });
    await sell(shop, device, { name: "Sparkling water", price: 1.15 });
    await page.goto(box.gateway.url);
    await page.getByText("Ready", { exact: true }).first().waitFor();
    const found = async (asked: string, text: RegExp | string) => {
      await page.keyboard.press("Control+k");
      await page.locator('input[role="combobox"]').fill(asked);
      await page.getByRole("option", { name: text, selected: true }).waitFor();
      await page.keyboard.press("Enter");
    };
    await found("cash in", "Cash in · Counter");
    await page.getByRole("dialog", { name: "Cash in" }).waitFor();
    await page.keyboard.press("Escape");
    // It opens on the page where it stands, too, and once for each time that it was looked for.
    await found("cash out", "Cash out · Counter");
    await page.getByRole("dialog", { name: "Cash out" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.reload();
    await button("Cash out").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await found("Z report", "Make the Z report · Counter");
    await page.getByRole("dialog", { name: "Close the day?" }).waitFor();
    await page.keyboard.press("Escape");
    await found("counter hist", "History · Counter");
    await page.getByText("Connected", { exact: true }).first().waitFor();
    await page.getByText("Printer Counter was added").waitFor();
    const changes = page.getByRole("list", { name: "Settings changed at the printer" });
    await changes.getByText("Header and footer").first().waitFor();
    await changes.getByText("By you: Done.").first().waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await found("3,35", /€3\.35/);
    await page.getByRole("heading", { name: /^Receipt / }).waitFor();
    await page.getByText("Orange juice").first().waitFor();
    const { receipts } = await shop.owner.expect<{ receipts: { uniqueSaleNumber: string }[] }>(
      "GET",
      "/receipts?q=Sparkling",
    );
    await found(receipts[0]?.uniqueSaleNumber ?? "", /€1\.15/);
    await page.getByText("Sparkling water").first().waitFor();
  });

  test("loses its line in a receipt, and finishes it once when it is back", async () => {
    await page.goto(box.gateway.url);
    await sell(shop, device, { name: "Bread", price: 1.6 });
    const { receiptCount } = await printer.books();
    await printer.fault({ kind: "unplug", when: "after", ms: 300, ...closingOf(printer) });
    const { id } = await order(shop.till, device, [{ name: "Bread", price: 1.6 }]);
    expect((await shop.till.wait(id)).status).toBe("completed");
    expect((await printer.books()).receiptCount).toBe(receiptCount + 1);
    expect(await page.getByRole("link", { name: "Settle" }).count()).toBe(0);
    await at("history");
    await page.getByText("The connection broke: its cable, its power or the network").waitFor();
  });

  test("may be a simulated one, whose cover is opened to see what happens", async () => {
    await page.goto(`${box.gateway.url}/printers`);
    await link("Add a printer").press("Enter");
    await button("Add a simulated printer").press("Enter");
    await page.getByRole("heading", { name: "Training", level: 1 }).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await page.getByText("Ready", { exact: true }).waitFor();
    await link("Paper").click();
    await button("Open the cover").press("Enter");
    await page.getByText(/The cover of Training is open\./).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    const refused = await sell(shop, id, COFFEE);
    expect(refused.result?.data).toMatchObject({ outcome: "not_printed" });
    await button("Make everything right again").press("Enter");
    await page.getByText("Ready", { exact: true }).waitFor();
    const before = await page.getByAltText("The paper of Training").getAttribute("src");
    expect((await sell(shop, id, COFFEE)).status).toBe("completed");
    await page.locator(`main img:not([src="${before}"])`).waitFor();
    // Its day is nobody's business but of who practises.
    await button("Let the day be open too long").press("Enter");
    await link("Now").click();
    await page.getByText(/^Training is a training printer\./).waitFor();
    await page.getByText("Ready", { exact: true }).waitFor();
  });

  test("marks as practice what a simulated one prints, wherever it is shown", async () => {
    const { id } = await shop.owner.expect<{ id: string }>("POST", "/devices/simulated", {
      ...{ name: "Spare desk", driver: "vendorA.isl", locationId: "shop" },
    });
    expect((await sell(shop, id, COFFEE)).status).toBe("completed");
    const short = page
      .getByRole("listitem")
      .getByRole("link")
      .getByText("Practice", { exact: true });
    const note = page.locator("main").getByText("Practice: does not count");
    await page.goto(box.gateway.url);
    await page.getByRole("link", { name: /^Spare desk.*Practice: does not count/ }).waitFor();
    await page.goto(`${box.gateway.url}/printers/${id}`);
    await page.getByText("PRACTICE: IS NO RECEIPT").first().waitFor();
    await page.goto(`${box.gateway.url}/receipts?printer=${id}`);
    await page.getByRole("heading", { level: 2 }).getByText("Practice", { exact: true }).waitFor();
    await short.click();
    await note.waitFor();
    expect(await page.getByText("PRACTICE: IS NO RECEIPT").count()).toBe(2);
    expect(await faultsForReaders(page)).toEqual([]);
    await page.goto(`${box.gateway.url}/commands?printer=${id}&status=completed`);
    await short.first().click();
    await note.waitFor();
    const today = "**/api/v1/today";
    await page.route(today, async (route) => {
      const answer = await route.fetch();
      const doubtful = [{ ...DOUBTFUL, simulated: true }];
      await route.fulfill({ json: { ...(await answer.json()), doubtful } });
    });
    for (const path of ["/", "/receipts?doubtful=1"]) {
      await page.goto(`${box.gateway.url}${path}`);
      await page.getByRole("alert").getByText("Practice: does not count").waitFor();
    }
    await page.unrouteAll({ behavior: "wait" });
    // What the real ones beside it have printed is no practice.
    await page.goto(`${box.gateway.url}/commands?printer=${device}`);
    await page.getByRole("listitem").first().waitFor();
    expect(await page.getByText("Practice").count()).toBe(0);
  });

  test("keeps every button where it is while what was pressed is told below one", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await at("actions");
    const names = ["Print the X report", "Make the Z report", "Cash in", "Print the duplicate"];
    const tops = () =>
      Promise.all(
        [...names, "Open the drawer", "Compare the clocks"].map(async (name) => {
          const place = await page.getByRole("button", { name, exact: true }).boundingBox();
          return [name, place?.y];
        }),
      );
    await page.getByRole("button", { name: "Compare the clocks" }).waitFor();
    const before = await tops();
    // What stands side by side stands in one line.
    expect(before[0]?.[1]).toBe(before[1]?.[1] ?? Number.NaN);
    await page.getByRole("button", { name: "Open the drawer" }).click();
    await page.getByText("Done", { exact: true }).waitFor();
    expect(await tops()).toEqual(before);
  });

  test("says of a text that cannot be printed what is the matter with it", async () => {
    await at("actions");
    await page.getByLabel("Text", { exact: true }).fill("A\u0000B");
    await page.getByRole("button", { name: "Print the text", exact: true }).click();
    await page.getByText("There is a sign in it that can be neither stored nor printed").waitFor();
  });

  test("is renamed and moved to another place", async () => {
    const { location } = await shop.owner.expect<{ location: { id: string } }>(
      "POST",
      "/org/locations",
      { name: "Market hall" },
    );
    await at("manage");
    await page.getByLabel("What to call it").fill("\u200b\u2060");
    await page.getByLabel("What to call it").press("Enter");
    await page.getByText(/^The name has no sign that can be seen, or one that turns/).waitFor();
    await page.getByText("name: Expected a name that can be seen").waitFor();
    await page.getByLabel("What to call it").fill("Till \u202e1");
    // The same words as those of the name before: what is pressed before the answer is not asked.
    const answered = page.waitForResponse((response) => response.request().method() === "PATCH");
    await page.getByLabel("What to call it").press("Enter");
    await answered;
    await page.getByText("that turns the direction of writing").waitFor();
    await page.locator("main [data-loading]").first().waitFor({ state: "detached" });
    await page.getByLabel("What to call it").fill("   ");
    await page.getByLabel("What to call it").press("Enter");
    await page.getByText("Fill this in.").waitFor();
    await page.getByLabel("What to call it").fill("W".repeat(300));
    await page.getByText("No more than 255 signs fit in here.").waitFor();
    await page.getByLabel("What to call it").fill("Hall 1");
    await page.getByLabel("Place", { exact: true }).selectOption("Market hall");
    expect(await faultsForReaders(page)).toEqual([]);
    await page.getByLabel("What to call it").press("Enter");
    await saved();
    await page.getByRole("heading", { name: "Hall 1", level: 1 }).waitFor();
    expect(await shop.owner.expect("GET", `/devices/${device}`)).toMatchObject({
      ...{ name: "Hall 1", locationId: location.id, effectiveStatus: "online" },
    });
    await shop.owner.expect("PATCH", `/devices/${device}`, { name: "Counter", locationId: "shop" });
  });

  test("is handed over to whoever reaches it next, and taken back by the box", async () => {
    const state = () =>
      shop.owner.expect<{ managedBy: string; controllerId: string | null }>(
        "GET",
        `/devices/${device}`,
      );
    const dialog = page.getByRole("dialog");
    await at("manage");
    await button("Hand it over").press("Enter");
    await dialog.getByRole("button", { name: "Hand it over" }).press("Enter");
    // The page tells of it by event, maybe before the question's own answer is there.
    await dialog.waitFor({ state: "hidden" });
    await page.getByText(/^Nobody yet\./).waitFor();
    expect(await state()).toMatchObject({ managedBy: "remote", controllerId: null });
    await button("Let the box serve it").press("Enter");
    await dialog.getByRole("button", { name: "Let the box serve it" }).press("Enter");
    await page.getByText("The box itself.", { exact: true }).waitFor();
    expect(await state()).toMatchObject({ managedBy: "builtin", controllerId: "builtin" });
  });

  test("says that it goes on once an owner has let it, after a backup was restored", async () => {
    let isHeld = true;
    await page.route("**/api/v1/devices/*/alerts", async (route) => {
      const answer = await route.fetch();
      const { alerts, ...others } = await answer.json();
      const held = { type: "state_restored", severity: "error", message: "", deviceId: device };
      const told = { ...held, deviceName: "Counter", detectedAt: new Date().toISOString() };
      await route.fulfill({ json: { ...others, alerts: isHeld ? [...alerts, told] : alerts } });
    });
    await page.route("**/accept-state", async (route) => {
      isHeld = false;
      await route.fulfill({ status: 204 });
    });
    await at("manage");
    await button("Let the printer go on").click();
    await page.getByRole("dialog").getByRole("button", { name: "Let the printer go on" }).click();
    const told = /^Counter goes on, and prints again\.$/;
    await page.getByText(told).waitFor();
    await page.getByText("The box was restored from a backup").waitFor({ state: "detached" });
    await page.locator(":focus").filter({ hasText: told }).waitFor();
    await page.unrouteAll({ behavior: "wait" });
  });

  test("is not printed on in this one's place before an owner takes it, who is told both numbers", async () => {
    const own = await shop.owner.expect<{ serialNumber: string; connectionParams: object }>(
      ...(["GET", `/devices/${device}`] as const),
    );
    const stateFile = join(box.folder, "exchanged.state");
    const other = await startPrinter({ stateFile, driver: "vendorA.isl", model: "x" });
    const lead = (connectionParams: object) =>
      shop.owner.expect("PATCH", `/devices/${device}`, { connectionParams });
    try {
      await lead({ host: other.host, port: other.port });
      await at("");
      await link("What to do").click();
      await page.getByText("Another printer stands here").waitFor();
      await page.locator("dd").filter({ hasText: own.serialNumber }).first().waitFor();
      expect(await faultsForReaders(page)).toEqual([]);
      await button("Take it in its place").click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Take it in its place" }).click();
      const told = /^Counter is the new printer from now on\.$/;
      await page.locator(":focus").filter({ hasText: told }).waitFor();
      await sell(shop, device, COFFEE);
      expect((await other.books()).receiptCount).toBe(1);
    } finally {
      await lead(own.connectionParams);
      await until("the former one", async () => {
        const path = `/devices/${device}/accept-printer`;
        return (await shop.owner.call("POST", path)).status === 200;
      });
      await other.kill();
    }
  });

  test("shows between which receipts those lie that the box does not know", async () => {
    const receiptOf = async (price: number) => {
      await sell(shop, device, { name: "Seeds", price });
      const path = `/devices/${device}/receipts?q=Seeds&limit=1`;
      const { receipts } = await shop.owner.expect<{ receipts: { issuedAt: string }[] }>(
        "GET",
        path,
      );
      return receipts[0];
    };
    const before = await receiptOf(1.11);
    // Receipts are told apart by the second, of a clock that may be one behind.
    await until("the next second", () => Date.now() > Date.parse(before?.issuedAt ?? "") + 2_000);
    await receiptOf(2.22);
    await page.route("**/api/v1/devices/*/alerts", async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      const alert = { type: "documents_unknown", severity: "warning", message: "", documents: 1 };
      const of = { deviceId: device, deviceName: "Counter", since: before?.issuedAt };
      const alerts = [{ ...alert, ...of, detectedAt: new Date().toISOString() }];
      await route.fulfill({ json: { ...body, alerts } });
    });
    await at("manage");
    const fact = (name: string) => page.locator("dl > div").filter({ hasText: name });
    await fact("Known here, before them").getByText("€1.11").waitFor();
    await fact("Known here, behind them").getByText("€2.22").waitFor();
    await page.unrouteAll({ behavior: "wait" });
  });

  test("is removed when its name is typed, and its receipts stay", async () => {
    const removed = await addPrinter(box, shop, "Stall 1");
    await sell(shop, removed.device, { name: "Nuts", price: 2 });
    await page.goto(`${box.gateway.url}/printers/${removed.device}/manage`);
    const remove = button("Remove the printer");
    const name = page.getByLabel("To remove it, type its name: Stall 1");
    await name.fill("stall");
    expect(await remove.isDisabled()).toBe(true);
    await name.fill("Stall 1");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Printers", level: 1 }).waitFor();
    expect((await shop.owner.call("GET", `/devices/${removed.device}`)).status).toBe(404);
    expect(await page.getByText("Stall 1").count()).toBe(0);
    const { receipts } = await shop.owner.expect<{ receipts: object[] }>("GET", "/receipts?q=Nuts");
    expect(receipts).toHaveLength(1);
  });

  test("never broke its own rules on the way", () => {
    expect(complaints).toEqual([]);
  });
});
