/** Where the keys are: after a question is answered or left, and where a form lacks something. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import bg from "../words/bg.json";
import { browsers, faultsForReaders, openPage } from "./browser.ts";
import { pressOn, tabTo, typeInto } from "./keyboard.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import { addPrinter, order, sell, sellInDoubt } from "./shop.ts";

describe.each(browsers())("whoever goes by the keys", (path) => {
  let opened: OpenShop;
  let page: Page;
  let url: string;
  let actions: string;

  beforeAll(async () => {
    opened = await openShop(path);
    ({ page } = opened);
    ({ url } = opened.box.gateway);
    actions = `${url}/printers/${opened.device}/actions`;
  });
  afterAll(() => opened?.close());
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const dialog = () => page.getByRole("dialog");
  /** Until that has the focus. */
  const isAt = (what: Locator) => what.and(page.locator(":focus")).waitFor();
  /** Until the focus is in the page, and not lost. */
  const isInPage = () => page.locator("main:focus, main :focus").waitFor();

  test.each(["Cash in", "Make the Z report"])("is back at *%s* when it is left", async (name) => {
    await page.goto(actions);
    await pressOn(page, button(name));
    await dialog().waitFor();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await isAt(button(name));
  });

  test("is back where the search was opened", async () => {
    await page.goto(actions);
    await tabTo(page, button("Cash out"));
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Search" }).waitFor();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await isAt(button("Cash out"));
  });

  test("closes an open question by the browser's back button, and leaves the page by the next", async () => {
    await page.goto(`${url}/printers`);
    await page.goto(actions);
    await button("Cash in").click();
    await dialog().getByLabel("What for (may stay empty)").fill("Change");
    await page.goBack();
    await dialog().waitFor({ state: "detached" });
    expect(page.url()).toBe(actions);
    // Left in another way it has nothing to go back to either.
    await button("Make the Z report").click();
    await dialog().waitFor();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await page.waitForFunction(() => history.state?.dialogs === undefined);
    // Nor has the search, from where it has led to.
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Search" }).fill("webhooks");
    await page.getByRole("option", { name: "Webhooks" }).first().click();
    await page.waitForURL(`${url}/settings/webhooks`);
    await page.goBack();
    await page.waitForURL(actions);
    await page.goBack();
    await page.waitForURL(`${url}/printers`);
  });

  test("is back at the button when it is answered", async () => {
    await sell(opened.shop, opened.device, { name: "Tea", price: 1.2 });
    await page.goto(actions);
    await pressOn(page, button("Make the Z report"));
    await pressOn(page, dialog().getByRole("button", { name: "Print the Z report" }));
    await page.getByText("Printed", { exact: true }).waitFor();
    await dialog().waitFor({ state: "detached" });
    await isAt(button("Make the Z report"));
  });

  test("stays in the page where a form gives way to what was made, and where they sign out", async () => {
    const theirs = await opened.openAs();
    await theirs.page.goto(`${url}/settings/webhooks/new`);
    await typeInto(theirs.page, theirs.page.getByRole("textbox").first(), "https://example.com/x");
    await theirs.page.keyboard.press("Enter");
    await theirs.page.getByRole("heading", { name: "The webhook is on" }).waitFor();
    await theirs.page.locator("main:focus").waitFor();
    await pressOn(theirs.page, theirs.page.getByRole("button", { name: "Sign out" }).first());
    await theirs.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await theirs.page.locator("main:focus").waitFor();
    await theirs.page.keyboard.press("Tab");
    expect(await theirs.page.getByLabel("Email").and(theirs.page.locator(":focus")).count()).toBe(
      1,
    );
    expect(theirs.complaints).toEqual([]);
    await theirs.context.close();
  });

  test("stays in the page when what was asked about is gone", async () => {
    const { device, printer } = await addPrinter(opened.box, opened.shop, "Stall");
    await printer.kill();
    // The first may be on its way already.
    for (const price of [1.2, 3.4]) await order(opened.shop.till, device, [{ name: "Tea", price }]);
    await page.goto(`${url}/printers/${device}`);
    const row = page.getByRole("listitem").filter({ hasText: "3.40" });
    await pressOn(page, row.getByRole("button", { name: "Cancel" }));
    await pressOn(page, dialog().getByRole("button", { name: "Cancel the request" }));
    await row.waitFor({ state: "detached" });
    await isInPage();
  });

  test("settles a doubt with a yes, and is where they were before at each step", async () => {
    const { shop, device, printer } = opened;
    const { id } = await sellInDoubt(shop, { device, printer }, { name: "Cake", price: 4 });
    await page.goto(url);
    await pressOn(page, page.getByRole("link", { name: "Settle" }).first());
    await page.waitForURL(`${url}/doubtful/${id}`);
    const [yes, no] = [button("Yes, it is printed"), button("No")];
    const find = button("I can't tell: show me how to find out");
    await pressOn(page, find);
    await isInPage();
    await pressOn(page, button("Ask the printer"));
    await page.getByText("comes to €4.00").waitFor();
    await isAt(button("Ask the printer"));
    await pressOn(page, button("Back to the answers"));
    await isAt(find);
    await pressOn(page, no);
    await isAt(dialog().getByRole("button", { name: "Go back" }).last());
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await isAt(no);
    await pressOn(page, yes);
    const number = page.getByLabel("Number of the receipt");
    await isAt(number);
    await pressOn(page, button("Back"));
    await isAt(yes);
    await page.keyboard.press("Enter");
    await isAt(number);
    const { receipts } = await printer.books();
    // One that the box refuses is put right where it stands.
    await page.keyboard.insertText("5000");
    await page.keyboard.press("Enter");
    await page.getByText(/^The printer had only reached number/).waitFor();
    await isAt(number);
    await number.selectText();
    await page.keyboard.insertText(String(receipts.at(-2)?.number));
    await page.keyboard.press("Enter");
    await page.getByText("Printed, according to you").waitFor();
    await isInPage();
    await pressOn(page, page.getByRole("link", { name: "What happened" }));
    await page.getByRole("heading", { name: "Receipt", level: 1 }).waitFor();
    await isInPage();
  });

  test("is told in the page's language what a form lacks, at the field", async () => {
    const {
      page: theirs,
      context,
      complaints,
    } = await openPage(opened.browser, {
      locale: "bg-BG",
    });
    await theirs.goto(`${url}/login`);
    const email = theirs.getByLabel(bg["login.email"]);
    const isFaulty = () => email.and(theirs.locator('[aria-invalid="true"]:focus')).waitFor();
    await pressOn(theirs, theirs.getByRole("button", { name: bg["login.submit"] }));
    await theirs.getByText(bg["form.missing"]).waitFor();
    await isFaulty();
    // Else the browser would say it in its own words, too.
    await theirs.locator("form[novalidate]").waitFor();
    expect(await faultsForReaders(theirs)).toEqual([]);
    await theirs.keyboard.insertText("ana");
    await theirs.getByText(bg["form.missing"]).waitFor({ state: "detached" });
    await theirs.getByLabel(bg["login.password"], { exact: true }).fill("a long password");
    await theirs.keyboard.press("Enter");
    await theirs.getByText(bg["form.noEmail"]).waitFor();
    await isFaulty();
    await email.fill("ana@shop.example");
    await theirs.keyboard.press("Enter");
    await theirs.getByText(bg["login.wrong"]).waitFor();
    expect(await theirs.locator('[aria-invalid="true"]').count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("never broke its own rules on the way", () => {
    expect(opened.complaints).toEqual([]);
  });
});
