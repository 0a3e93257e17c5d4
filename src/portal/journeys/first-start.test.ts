/**
 * From a box that nobody has set up to the first receipt of a till, in a browser on another computer:
 * over plain HTTP, with the set-up code. One walk: each test goes on where the one before it ended.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { ApiClient } from "../../e2e/harness/gateway.ts";
import { executable } from "../../e2e/harness/program.ts";
import { runToEnd } from "../../e2e/harness/run-to-end.ts";
import type { SimulatedPrinter } from "../../e2e/harness/simulator.ts";
import { browsers, faultsForReaders, fromTheNetwork, openPage, startBrowser } from "./browser.ts";
import { pressOn, typeInto } from "./keyboard.ts";
import { type Box, openBox, order } from "./shop.ts";

const PASSWORD = "a long enough password";

describe.each(browsers())("the portal of a new box", (path) => {
  let box: Box;
  let browser: Browser;
  let printer: SimulatedPrinter;
  let page: Page;
  let complaints: readonly string[];
  let url: string;
  let key = "";

  beforeAll(async () => {
    [box, browser] = await Promise.all([openBox(), startBrowser(path)]);
    url = fromTheNetwork(box.gateway.url);
    printer = await box.printer();
    ({ page, complaints } = await openPage(browser));
  });
  afterAll(async () => {
    await browser.close();
    await box.close();
  });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const heading = (name: string) => page.getByRole("heading", { name, level: 1 }).waitFor();

  test("begins with set-up, whatever address is opened, and makes owner and shop", async () => {
    // As the installer prints it, but for the host: on the machine itself none is asked for.
    const words = ["address", "--state-dir", join(box.folder, "state")];
    const { out } = await runToEnd([await executable(), ...words]);
    const [, code = ""] = /^http:\S+\/setup#code=(\S+)$/m.exec(out) ?? [];
    await page.goto(`${url}/printers#code=${code}`);
    await heading("Welcome. Which language?");
    const zone = page.getByLabel("Time zone of the shop");
    const chosen = await zone.inputValue();
    await zone.selectOption("Asia/Tokyo");
    const tokyo = new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Tokyo", hour: "2-digit" });
    await page.getByText(`It is ${tokyo.format(Date.now())}:`).waitFor();
    await zone.selectOption(chosen);
    expect(page.url()).toBe(`${url}/setup`);
    expect(await page.evaluate("isSecureContext")).toBe(false);
    await button("Next").click();
    await heading("Who is the owner?");
    await page.getByLabel("Name").fill("Ana");
    await page.getByLabel("Email").fill("owner@shop.example");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    const field = page.getByLabel("Set-up code");
    expect(await field.inputValue()).toBe(code);
    expect(box.gateway.output()).toContain(`"setupCode":"${code}"`);
    await field.fill("7K2M-9QXT-04HB");
    expect(await faultsForReaders(page)).toEqual([]);
    await button("Next").click();
    await heading("What is the shop called?");
    await page.getByLabel("Name of the shop").fill("Corner Shop");
    await page.getByLabel("Currency").selectOption("RON");
    await page.getByRole("link", { name: "Owner" }).click();
    await heading("Who is the owner?");
    await button("Next").click();
    expect(await page.getByLabel("Name of the shop").inputValue()).toBe("Corner Shop");
    expect(await page.getByLabel("Currency").inputValue()).toBe("RON");
    await page.getByLabel("Currency").selectOption("EUR");
    await button("Make the shop").click();
    // A wrong code is told where it can be mended.
    await page.getByText("The set-up code is wrong").waitFor();
    await field.and(page.locator(":focus")).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await field.fill(code);
    await button("Next").click();
    await button("Make the shop").click();
    await heading("Find my printer");
  });

  test("finds the printer where one says, and adds it", async () => {
    await page.getByLabel("Its address").fill(`${printer.host}:${printer.port}`);
    await button("Look there").click();
    await page.getByText(printer.number).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await page.getByLabel("What to call it").fill("Counter");
    await button("Add it").click();
    await page.getByText("Added", { exact: true }).waitFor();
    expect(await page.getByText("No new printer found.").count()).toBe(0);
    await button("Next").click();
  });

  test("prints a test slip and asks whether paper came out", async () => {
    await heading("Does it print?");
    await button("Print it").click();
    await page.getByText("Did paper come out?").waitFor();
    expect(await printer.paper()).toContain("This is no receipt.");
    await button("Yes").click();
  });

  test("makes the till's key, with which it prints the first receipt", async () => {
    await heading("Let the till print");
    await button("Make the key").click();
    key = (await page.getByText(/^svc_live_\w+$/).textContent()) ?? "";
    expect(await faultsForReaders(page)).toEqual([]);
    await page.getByTitle("Copy").first().click();
    await page.getByText("Copied").waitFor();
    const curl = await page.getByRole("region", { name: "curl" }).textContent();
    expect(curl).toContain(key);
    // A Bulgarian printer takes no sale without its number.
    expect(curl).toMatch(/"uniqueSaleNumber": "[A-Z]{2}\d{6}-0001-\d{7}"/);
    const sharp = await page.getByRole("region", { name: "C#" }).textContent();
    expect(sharp).not.toContain('DefaultRequestHeaders.Add("Idempotency-Key"');
    await page.reload();
    await page.getByText("There is a key already: Till 1.").waitFor();
    await button("Next").click();
  });

  test("is told about backups and the end of the day, and can leave both for later", async () => {
    await heading("So that nothing is lost");
    expect(await faultsForReaders(page)).toEqual([]);
    await button("Later").click();
    await page.getByText("No receipt yet today").waitFor();
    const trial = page.getByRole("link", { name: "Print a text that counts for nothing" });
    expect(await trial.getAttribute("href")).toMatch(/^\/printers\/\w+\/actions\?slip$/);
    const till = new ApiClient(box.gateway.url, key);
    const [device] = await till.expect<{ id: string }[]>("GET", "/devices");
    await order(till, device?.id ?? "", [{ name: "Coffee", price: 1.5, quantity: 2 }]);
    // Nobody has reloaded anything: the page heard of it.
    await page.getByText("€3.00").first().waitFor();
    expect((await printer.books()).receiptCount).toBe(1);
    expect(await faultsForReaders(page)).toEqual([]);
  });

  test("keeps the session over a reload, and shares its end with the other tabs", async () => {
    await page.reload();
    await page.getByText("€3.00").first().waitFor();
    const other = await page.context().newPage();
    await other.goto(`${url}/printers`);
    await other.getByText("Counter").waitFor();
    await button("Sign out").click();
    await other.getByRole("heading", { name: "Sign in" }).waitFor();
    await other.getByText("You were signed out.").waitFor();
    await other.getByLabel("Email").fill("owner@shop.example");
    await other.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await other.getByRole("button", { name: "Sign in" }).click();
    await other.getByText("Counter").waitFor();
    expect(new URL(other.url()).pathname).toBe("/printers");
  });

  test("is one session in several tabs, which ask for new tokens at the same moment", async () => {
    const shared = page.context();
    await Promise.all(shared.pages().map((one) => (one === page ? undefined : one.close())));
    const tabs = [page, await shared.newPage(), await shared.newPage()];
    let renewals = 0;
    shared.on("response", (response) => {
      if (response.url().endsWith("/auth/refresh") && response.status() === 200) renewals += 1;
    });
    // None of them has a token to give to the others, and none is answered before all have asked.
    await Promise.all(tabs.map((tab) => tab.goto("about:blank")));
    const allAsked = Promise.withResolvers<void>();
    let asked = 0;
    await shared.route("**/api/v1/auth/refresh", async (route) => {
      asked += 1;
      if (asked === tabs.length) allAsked.resolve();
      await allAsked.promise;
      await route.continue();
    });
    await Promise.all(tabs.map((tab) => tab.goto(`${url}/printers`)));
    await Promise.all(tabs.map((tab) => tab.getByText("Counter").waitFor()));
    expect(renewals).toBe(tabs.length);
    await shared.unroute("**/api/v1/auth/refresh");
    // Whoever came last has left a cookie that still counts.
    await page.reload();
    await page.getByText("Counter").waitFor();
    await Promise.all(tabs.slice(1).map((tab) => tab.close()));
  });

  test("changes its language where one stands", async () => {
    await page.goto(`${url}/printers`);
    await page.getByText("Counter").waitFor();
    await page.getByLabel("Language").selectOption("bg");
    await page.getByRole("heading", { name: "Принтери" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Принтери" }).waitFor();
    await page.getByLabel("Език").selectOption("en");
  });

  test("shows what it knew while the box is away, and goes on by itself when it is back", async () => {
    await page.getByRole("link", { name: "Today" }).click();
    await page.getByText("€3.00").first().waitFor();
    await box.killGateway();
    await page.getByText(/^reconnecting/).waitFor();
    await page.getByText(/^no answer from the box/).waitFor({ timeout: 40_000 });
    await page.getByText(/This is how it was at/).waitFor();
    expect(await page.getByText("€3.00").first().isVisible()).toBe(true);
    await box.restartGateway();
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByText(/This is how it was at/).waitFor({ state: "detached" });
    const till = new ApiClient(box.gateway.url, key);
    const [device] = await till.expect<{ id: string }[]>("GET", "/devices");
    await order(till, device?.id ?? "", [{ name: "Tea", price: 4 }]);
    await page.getByText("€7.00").first().waitFor();
  });

  test("is set up by the keys alone, with a simulated printer", async () => {
    const another = await openBox();
    try {
      const { page: theirs, complaints: own } = await openPage(browser);
      const press = (name: string) => pressOn(theirs, theirs.getByRole("button", { name }).first());
      await theirs.goto(another.gateway.url);
      await press("Next");
      await typeInto(theirs, theirs.getByLabel("Name"), "Ana");
      await typeInto(theirs, theirs.getByLabel("Email"), "owner@shop.example");
      await typeInto(theirs, theirs.getByLabel("Password", { exact: true }), PASSWORD);
      await theirs.keyboard.press("Enter");
      await typeInto(theirs, theirs.getByLabel("Name of the shop"), "Corner Shop");
      await press("Make the shop");
      const rail = theirs.getByRole("navigation", { name: "Steps of setting up" });
      const marks = async (...states: string[]) => {
        const steps = states.map((state, at) => `li[data-state="${state}"]:nth-child(${at + 1})`);
        for (const step of steps) await rail.locator(step).waitFor();
      };
      // What is left out looks so, and the rail leads back to it.
      await press("Later");
      await marks("done", "done", "done", "skipped", "open");
      await theirs.goto(another.gateway.url);
      await pressOn(theirs, theirs.getByRole("link", { name: "Go on with setting up" }));
      await marks("done", "done", "done", "open");
      await theirs.goto(`${another.gateway.url}/setup/safety`);
      await marks("done", "done", "done", "skipped", "skipped", "skipped", "open");
      expect(await faultsForReaders(theirs)).toEqual([]);
      await pressOn(theirs, rail.getByRole("link", { name: "Printer" }).last());
      await press("Add a simulated printer");
      await theirs.getByText("Practice: does not count").waitFor();
      await theirs.getByText("Added", { exact: true }).waitFor();
      await marks("done", "done", "done", "done", "open");
      await press("Next");
      await theirs.locator("button:enabled", { hasText: "Print it" }).waitFor();
      await press("Print it");
      // Nobody is asked for the paper of a practice printer.
      await theirs.getByText("has printed it").waitFor();
      await press("Next");
      await marks("done", "done", "done", "done", "done", "open");
      await press("Make the key");
      const made = (await theirs.getByText(/^svc_live_\w+$/).textContent()) ?? "";
      await press("Next");
      await marks("done", "done", "done", "done", "done", "done", "open");
      await press("Later");
      await theirs.getByText("No receipt yet today").waitFor();
      const till = new ApiClient(another.gateway.url, made);
      const [device] = await till.expect<{ id: string }[]>("GET", "/devices");
      const { id } = await order(till, device?.id ?? "", [{ name: "Coffee", price: 1.5 }]);
      expect((await till.wait(id)).status).toBe("completed");
      expect(own).toEqual([]);
    } finally {
      await another.close();
    }
  });

  test("never broke its own rules on the way", () => {
    // While the box is away there is nobody to open a stream to.
    const own = complaints.filter((text) => !text.startsWith("WebSocket connection to"));
    expect(own).toEqual([]);
  });
});
