/**
 * A manager gives away rights and takes them back, by the keyboard alone, and then by mouse and finger: a
 * person with less rights, a till's key, and what those who lose theirs are told. What becomes of Vera is
 * one walk: each of its tests goes on where the one before it ended.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Locator, Page } from "playwright-core";
import type { Shop } from "../../e2e/harness/gateway.ts";
import { ApiClient } from "../../e2e/harness/gateway.ts";
import type { SimulatedPrinter } from "../../e2e/harness/simulator.ts";
import bg from "../words/bg.json";
import en from "../words/en.json";
import { browsers, faultsForReaders, openPage, signIn } from "./browser.ts";
import { pressOn, tabTo, typeInto } from "./keyboard.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import { type Box, order } from "./shop.ts";

const EMAIL = "vera@shop.example";
const FIRST = "the first password";
const SECOND = "another password";

describe.each(browsers())("the settings", (path) => {
  let opened: OpenShop;
  let box: Box;
  let browser: Browser;
  let shop: Shop;
  let printer: SimulatedPrinter;
  let device: string;
  /** The owner's, Vera's on her till, and hers on a telephone. */
  let page: Page;
  let vera: Page;
  let phone: Page;
  const complaints: (readonly string[])[] = [];

  beforeAll(async () => {
    opened = await openShop(path);
    ({ box, browser, page, shop, device, printer } = opened);
    complaints.push(opened.complaints);
  });
  afterAll(() => opened?.close());
  async function open(): Promise<Page> {
    const own = await openPage(browser);
    complaints.push(own.complaints);
    return own.page;
  }
  const at = (opened: Page) => new URL(opened.url()).pathname;
  const button = (opened: Page, name: string) => opened.getByRole("button", { name, exact: true });
  const link = (opened: Page, name: string) => opened.getByRole("link", { name, exact: true });
  const heading = (opened: Page, name: string) =>
    opened.getByRole("heading", { name, level: 1 }).waitFor();

  test("invite a person, who sets a password by the link and is in", async () => {
    await page.goto(`${box.gateway.url}/settings/people`);
    await pressOn(page, link(page, "Add a person"));
    await typeInto(page, page.getByLabel("Name", { exact: true }), "Vera");
    await typeInto(page, page.getByLabel("Email"), EMAIL);
    await pressOn(page, button(page, "Add the person"));
    await heading(page, "Vera was added");
    expect(await faultsForReaders(page)).toEqual([]);
    const address = (await page.getByText(/\/reset#code=/).textContent()) ?? "";
    vera = await open();
    await vera.goto(address);
    await typeInto(vera, vera.getByLabel("New password"), FIRST);
    expect(vera.url()).not.toContain("#");
    await vera.keyboard.press("Enter");
    await heading(vera, "Today");
    const { members } = await shop.owner.expect<{ members: object[] }>("GET", "/org/members");
    expect(members).toContainEqual(expect.objectContaining({ email: EMAIL, role: "operator" }));
  });

  test("show a cashier what is hers, and refuse the rest", async () => {
    await pressOn(vera, link(vera, "Settings"));
    await heading(vera, "About this box");
    const list = vera.getByRole("navigation", { name: "Settings" });
    expect(await list.getByRole("link").allTextContents()).toEqual([
      "About this box",
      "My account",
    ]);
    await vera.goto(`${box.gateway.url}/settings/people`);
    await vera.getByText("You may not see this").waitFor();
    const { body } = await new ApiClient(box.gateway.url).call<{ accessToken: string }>(
      "POST",
      "/auth/login",
      { body: { email: EMAIL, password: FIRST } },
    );
    const herself = new ApiClient(box.gateway.url, body.accessToken);
    expect((await herself.call("GET", "/org/members")).status).toBe(403);
    expect((await herself.call("PATCH", "/org", { body: { name: "Hers" } })).status).toBe(403);
  });

  test("change the language, which stays", async () => {
    await vera.goto(`${box.gateway.url}/settings/account`);
    await tabTo(vera, vera.getByLabel("Language").first());
    await vera.keyboard.press("ArrowDown");
    await heading(vera, "Contul meu");
    await vera.keyboard.press("ArrowDown");
    await heading(vera, bg["settings.page.account"]);
    await vera.reload();
    await heading(vera, bg["settings.page.account"]);
  });

  test("sign out elsewhere who changes the password, say why, and go on as she was", async () => {
    const address = `${box.gateway.url}/printers/${device}/actions`;
    await vera.goto(address);
    await typeInto(vera, vera.getByLabel(bg["actions.slipLines"]), "Ela");
    await pressOn(vera, button(vera, bg["command.cash_in"]));
    const amount = vera.getByRole("dialog").getByLabel(bg["actions.amount"]);
    await tabTo(vera, amount);
    await vera.keyboard.type("1,25");
    phone = await open();
    await signIn(phone.context(), box.gateway.url, { email: EMAIL, password: FIRST });
    await phone.goto(`${box.gateway.url}/settings/account`);
    await typeInto(phone, phone.getByLabel("Current password"), FIRST);
    await typeInto(phone, phone.getByLabel("New password"), SECOND);
    await phone.keyboard.press("Enter");
    await phone.getByText("Saved", { exact: true }).waitFor();
    // Nobody has touched the till.
    await vera.getByText(bg["login.ended.ended"]).waitFor();
    await typeInto(vera, vera.getByLabel(bg["login.email"]), EMAIL);
    await typeInto(vera, vera.getByLabel(bg["login.password"], { exact: true }), SECOND);
    expect(await amount.isVisible()).toBe(false);
    expect(await faultsForReaders(vera)).toEqual([]);
    await vera.keyboard.press("Enter");
    await amount.waitFor();
    expect(await amount.inputValue()).toContain("1,25");
    await vera.keyboard.press("Escape");
    await vera.getByText(bg["state.ready"], { exact: true }).waitFor();
    expect(await vera.getByLabel(bg["actions.slipLines"]).inputValue()).toBe("Ela");
    expect(vera.url()).toBe(address);
  });

  test("switch a person off, who is told so and stays out", async () => {
    await pressOn(page, link(page, "To all people"));
    await pressOn(page, page.getByRole("link", { name: /^Vera/ }));
    await pressOn(page, button(page, "Switch off"));
    // The answer has the focus.
    await page.getByRole("dialog").waitFor();
    await pressOn(page, page.getByRole("dialog").getByRole("button", { name: "Switch off" }));
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await button(page, "Switch on again").waitFor();
    await phone.getByText(en["login.ended.inactive"]).waitFor();
    await vera.getByText(bg["login.ended.inactive"]).waitFor();
    expect(at(phone)).toBe("/login");
    await typeInto(phone, phone.getByLabel("Email"), EMAIL);
    await typeInto(phone, phone.getByLabel("Password", { exact: true }), SECOND);
    const place = () => button(phone, en["login.submit"]).boundingBox();
    const before = await place();
    await phone.keyboard.press("Enter");
    await phone.getByText("Email or password is wrong.").waitFor();
    expect(await place()).toEqual(before);
  });

  test("make a key, with which a till prints, and revoke it, after which it is refused", async () => {
    await page.goto(`${box.gateway.url}/settings`);
    await pressOn(page, page.getByRole("link", { name: /^Keys/ }).first());
    await pressOn(page, link(page, "A new key").first());
    await typeInto(page, page.getByLabel("Which till or program"), "Till 9");
    await page.keyboard.press("Enter");
    await heading(page, "The key for Till 9 is made");
    const key = (await page.getByText(/^svc_live_\w+$/).textContent()) ?? "";
    const till = new ApiClient(box.gateway.url, key);
    const { receiptCount } = await printer.books();
    await till.wait((await order(till, device, [{ name: "Tea", price: 1.2 }])).id);
    expect((await printer.books()).receiptCount).toBe(receiptCount + 1);
    await pressOn(page, link(page, "To all keys"));
    await page.getByRole("link", { name: /^Till 9.*last used/s }).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);

    await pressOn(page, page.getByRole("link", { name: /^Till 9/ }));
    await pressOn(page, button(page, "Revoke for good"));
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/can never print with this key again/).waitFor();
    await pressOn(page, dialog.getByRole("button", { name: "Revoke for good" }));
    await heading(page, "Keys");
    await page.getByRole("link", { name: /^Till 9/ }).waitFor({ state: "detached" });
    const refused = await till.call("POST", "/commands", { body: {} });
    expect(refused.status).toBe(401);
    expect((await printer.books()).receiptCount).toBe(receiptCount + 1);
    // What it asked for stays under the name that it had, for a cashier, too.
    const login = { email: "cashier@shop.example", password: "a long enough password" };
    await shop.owner.expect("POST", "/org/members", { ...login, name: "Ion", role: "operator" });
    const cashier = await open();
    await signIn(cashier.context(), box.gateway.url, login);
    for (const one of [page, cashier]) {
      await one.goto(`${box.gateway.url}/commands`);
      await one.getByRole("link", { name: /· by Till 9/ }).waitFor();
    }
  });

  test.each([
    { by: "a mouse", options: {}, press: (one: Locator) => one.click() },
    {
      by: "a finger",
      options: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
      press: (one: Locator) => one.tap(),
    },
  ])("do the same by $by: a key made, used and revoked, a person invited", async (way) => {
    const { by, options, press } = way;
    const { url } = box.gateway;
    const { page: theirs, context, complaints: own } = await opened.openAs(shop, options);
    complaints.push(own);
    const fill = async (name: string, text: string) => {
      await press(theirs.getByLabel(name, { exact: true }));
      await theirs.keyboard.press("ControlOrMeta+a");
      await theirs.keyboard.insertText(text);
    };
    await theirs.goto(`${url}/settings`);
    await press(theirs.getByRole("link", { name: /^Keys/ }).first());
    await press(link(theirs, "A new key").first());
    await fill("Which till or program", `Till of ${by}`);
    await press(theirs.locator('main button[type="submit"]'));
    await heading(theirs, `The key for Till of ${by} is made`);
    const key = (await theirs.getByText(/^svc_live_\w+$/).textContent()) ?? "";
    const before = (await printer.books()).receiptCount;
    const client = new ApiClient(url, key);
    await client.wait((await order(client, device, [{ name: "Tea", price: 1.2 }])).id);
    expect((await printer.books()).receiptCount).toBe(before + 1);
    await press(link(theirs, "To all keys"));
    await press(theirs.getByRole("link", { name: new RegExp(`^Till of ${by}`) }));
    await press(button(theirs, "Revoke for good"));
    const dialog = theirs.getByRole("dialog");
    await press(dialog.getByRole("button", { name: "Revoke for good" }));
    await heading(theirs, "Keys");
    expect((await client.call("POST", "/commands", { body: {} })).status).toBe(401);
    await theirs.goto(`${url}/commands`);
    const asked = theirs.getByText(new RegExp(`· by Till of ${by}$`));
    expect(await asked.evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0);

    await theirs.goto(`${url}/settings`);
    await press(theirs.getByRole("link", { name: /^People/ }).first());
    await press(link(theirs, "Add a person"));
    await fill("Name", "Mia");
    const theirEmail = `${by.replace("a ", "")}@shop.example`;
    await fill("Email", theirEmail);
    await press(button(theirs, "Add the person"));
    await heading(theirs, "Mia was added");
    const { members } = await shop.owner.expect<{ members: object[] }>("GET", "/org/members");
    expect(members).toContainEqual(
      expect.objectContaining({ email: theirEmail, role: "operator" }),
    );
    await context.close();
  });

  test("search their people and keys once these are many, and keep what was looked for", async () => {
    await page.goto(`${box.gateway.url}/settings/people`);
    await page.locator("main").getByText(shop.email).waitFor();
    expect(await page.getByRole("searchbox").count()).toBe(0);
    for (let one = 1; one <= 9; one += 1) {
      const [email, password] = [`cashier${one}@shop.example`, "a long enough password"];
      const person = { email, password, name: `Căsier ${one}`, role: "operator" };
      await shop.owner.expect("POST", "/org/members", person);
      await shop.owner.expect("POST", "/org/api-keys", { label: `Kiosk-${one}`, scopes: ["all"] });
    }
    // Of a shop in Sofia the end of a day.
    const expiresAt = "2030-01-13T22:00:00.000Z";
    const guest = { label: "Kiosk-guest", scopes: ["all"], expiresAt };
    await shop.owner.expect("POST", "/org/api-keys", guest);
    const rows = (name: RegExp) => page.getByRole("link", { name }).count();
    await page.reload();
    await page.getByRole("searchbox", { name: "Name, e-mail, role" }).fill("casier 7");
    await page.getByText("cashier1@shop.example").waitFor({ state: "detached" });
    expect(await rows(/^Căsier/)).toBe(1);
    expect(await faultsForReaders(page)).toEqual([]);
    await page.getByRole("searchbox").fill("nobody");
    await page.getByText("Nothing found.").waitFor();
    await button(page, "Clear the filters").click();
    await page.getByText("cashier1@shop.example").waitFor();
    await page.goto(`${box.gateway.url}/settings/keys?q=kiosk-4`);
    await page.getByText("Kiosk-4").waitFor();
    expect([await rows(/^Kiosk/), await page.getByRole("searchbox").inputValue()]).toEqual([
      ...[1, "kiosk-4"],
    ]);
    await page.getByRole("searchbox").fill("guest");
    await page.getByText("last day 13 Jan 2030").waitFor();
    await page.getByRole("link", { name: /^Kiosk-guest/ }).click();
    await page.getByText("Last day it works").locator("..").getByText("13 Jan 2030").waitFor();
  });

  test("put nothing back that was changed elsewhere since they were opened", async () => {
    const { owner } = shop;
    const { page: theirs, context } = await opened.openAs();
    /** Changes a name on a page that stands open, and saves it. */
    const rename = async (label: string, name: string, meanwhile: () => Promise<unknown>) => {
      const field = theirs.getByLabel(label, { exact: true });
      await field.fill(name);
      await meanwhile();
      await field.press("Enter");
      await theirs.getByText("Saved", { exact: true }).waitFor();
    };
    const own = { currency: "EUR", timezone: "Europe/Sofia" };
    await theirs.goto(`${box.gateway.url}/settings/shop`);
    const elsewhere = { currency: "RON", timezone: "Europe/Bucharest" };
    await rename("Name of the shop", "Roses", () => owner.expect("PATCH", "/org", elsewhere));
    const org = await owner.expect("GET", "/org");
    const { location } = await owner.expect<{ location: { id: string } }>(
      ...(["POST", "/org/locations", { name: "Back room" }] as const),
    );
    const place = { locationId: location.id };
    await theirs.goto(`${box.gateway.url}/printers/${device}/manage`);
    const path = `/devices/${device}`;
    await rename("What to call it", "Till 1", () => owner.expect("PATCH", path, place));
    const printer = await owner.expect("GET", path);
    await owner.expect("PATCH", "/org", own);
    await owner.expect("PATCH", path, { name: "Counter" });
    expect([org, printer]).toMatchObject([
      { name: "Roses", ...elsewhere },
      { name: "Till 1", ...place },
    ]);
    // What is saved already has nothing to be saved, and neither has a form as it was opened.
    const save = button(theirs, "Save");
    expect(await save.first().isDisabled()).toBe(true);
    await theirs.goto(`${box.gateway.url}/settings/shop`);
    await theirs.getByLabel("Currency").waitFor();
    const forms = await save.all();
    expect(await Promise.all(forms.map((one) => one.isDisabled()))).toEqual([true, true]);
    await context.close();
  });

  test("close no day by themselves without a time, and show what others have changed meanwhile", async () => {
    const { owner } = shop;
    const { page: theirs, context } = await opened.openAs();
    await theirs.clock.install();
    await theirs.goto(`${box.gateway.url}/settings/closing`);
    const time = theirs.getByLabel(en["closing.time"]);
    await time.selectOption("21:00");
    await theirs.getByLabel(en["closing.automatic"]).check();
    await time.selectOption("");
    await button(theirs, "Save").first().click();
    await theirs.getByText("Saved", { exact: true }).waitFor();
    const { closingTime, closingAutomatic } = await owner.expect<Readonly<Record<string, unknown>>>(
      ...(["GET", "/org"] as const),
    );
    await theirs.goto(`${box.gateway.url}/settings/shop`);
    const currency = theirs.getByLabel("Currency");
    await currency.waitFor();
    await owner.expect("PATCH", "/org", { currency: "RON" });
    await theirs.clock.fastForward(60_000);
    await currency.locator("option[value=RON]:checked").waitFor({ state: "attached" });
    await owner.expect("PATCH", "/org", { currency: "EUR" });
    expect([closingTime, closingAutomatic]).toEqual([null, false]);
    await theirs.goto(`${box.gateway.url}/settings/keys`);
    await theirs.getByRole("searchbox").fill("elsewhere");
    await theirs.getByText("Nothing found.").waitFor();
    const made = { label: "Made elsewhere", scopes: ["all"] };
    await owner.expect("POST", "/org/api-keys", made);
    await theirs.clock.fastForward(60_000);
    await theirs.getByRole("link", { name: /^Made elsewhere/ }).waitFor();
    await context.close();
  });

  test("never broke their own rules on the way", () => {
    // The stream of somebody who was signed out is closed.
    const own = complaints.flat().filter((text) => !text.startsWith("WebSocket connection to"));
    expect(own).toEqual([]);
  });
});
