/** A box that hangs, falls or refuses while pages are opened: they say so, and go on by themselves. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { browsers, faultsForReaders, openPage } from "./browser.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import type { Box } from "./shop.ts";

/** Guesses of an address within a window of seconds: the shop's own setting up takes some. */
const GUESSES = 12;
const ARGS = [`--limits-auth-max=${GUESSES}`, "--limits-window-seconds=20"];

describe.each(browsers())("the portal of a box that is away", (path) => {
  let opened: OpenShop;
  let box: Box;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];

  beforeAll(async () => {
    opened = await openShop(path, { args: ARGS });
    ({ box, browser, page, complaints } = opened);
  });
  beforeEach(async () => {
    // Nothing is known yet but what this page reads.
    await page.goto(box.gateway.url);
    await live();
  });
  afterAll(() => opened?.close());
  const live = () => page.getByText("live", { exact: true }).waitFor({ timeout: 30_000 });
  const link = (name: string) => page.getByRole("link", { name, exact: true });
  const heading = (name: string) => page.getByRole("heading", { name, level: 1 }).waitFor();
  const gone = (state: "visible" | "detached" = "visible") =>
    page.getByText("It goes on by itself as soon as the box answers.").first().waitFor({ state });

  test("breathes at the dot on top as it is heard, and lies still between", async () => {
    const waitFor = (what: string) =>
      page.waitForFunction((what) => {
        const moved = document.getAnimations().map(({ effect }) => {
          const target = effect instanceof KeyframeEffect ? effect.target : null;
          return target?.closest("[data-reach]") ? "the dot" : (target?.outerHTML ?? "");
        });
        return moved.join() === what;
      }, what);
    // Nothing happens: the page asks now and then whether the box is there.
    for (const _ of ["first", "second"]) {
      await waitFor("the dot");
      await waitFor("");
    }
  });

  test("says of itself that it does not answer, and not of a printer whose settings are open", async () => {
    await page.goto(`${box.gateway.url}/printers/${opened.device}/setup`);
    await page.getByLabel("Above the receipt").waitFor();
    process.kill(box.gateway.pid, "SIGSTOP");
    try {
      await page.getByText("This is how it was at").waitFor();
      expect(await page.getByLabel("Above the receipt").isDisabled()).toBe(true);
      expect(await page.getByText("Counter does not answer").count()).toBe(0);
    } finally {
      process.kill(box.gateway.pid, "SIGCONT");
    }
    await page.getByText("This is how it was at").waitFor({ state: "detached" });
  });

  test("hangs while pages are opened: each says so, and comes once it goes on", async () => {
    // One whose script is not there yet, and one that has only to be read.
    process.kill(box.gateway.pid, "SIGSTOP");
    try {
      await link("Receipts").click();
      await gone();
      await page.getByText("No answer from the box", { exact: true }).waitFor();
      expect(await faultsForReaders(page)).toEqual([]);
    } finally {
      process.kill(box.gateway.pid, "SIGCONT");
    }
    await heading("Receipts");
    await page.getByText("No receipt yet").waitFor();
    await link("Printers").first().click();
    await page.getByRole("link", { name: /^Counter/ }).click();
    await heading("Counter");
    await live();
    process.kill(box.gateway.pid, "SIGSTOP");
    try {
      await link("History").click();
      await gone();
    } finally {
      process.kill(box.gateway.pid, "SIGCONT");
    }
    await gone("detached");
  });

  test("falls while pages are opened: each comes by itself when it is back", async () => {
    await live();
    await link("Receipts").click();
    await page.getByText("No receipt yet").waitFor();
    await box.killGateway();
    await page.getByRole("combobox", { name: "Kind" }).selectOption("Refunds");
    await gone();
    await box.restartGateway();
    await page.getByText("No receipt fits").waitFor();
    await live();
    await box.killGateway();
    await link("Reports").click();
    await page.getByText("This page did not load").waitFor();
    await box.restartGateway();
    await heading("Reports");
    await link("Receipts").click();
    await page.getByText("No receipt yet").waitFor();
  });

  test("is away, too, where only a proxy in front of it answers", async () => {
    const theirs = await opened.context.newPage();
    let hasFallen = false;
    let fall = () => {};
    await theirs.routeWebSocket(/\/api\/v1\/events\?/, (stream) => {
      stream.connectToServer();
      fall = () => stream.close();
    });
    const answer = { status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" };
    await theirs.route(/\/(api|livez)/, (route) =>
      hasFallen ? route.fulfill(answer) : route.continue(),
    );
    await theirs.clock.install();
    await theirs.goto(box.gateway.url);
    await theirs.locator('[data-reach="live"]').waitFor();
    hasFallen = true;
    fall();
    await theirs.locator('[data-reach="reconnecting"]').waitFor();
    await theirs.getByRole("link", { name: "Receipts", exact: true }).click();
    await theirs.getByText("It goes on by itself as soon as the box answers.").waitFor();
    await theirs.clock.runFor(20_000);
    await theirs.locator('[data-reach="silent"]').waitFor();
    hasFallen = false;
    await theirs.getByText("No receipt yet").waitFor();
    await theirs.locator('[data-reach="live"]').waitFor();
    await theirs.close();
  });

  test("refuses an address that has guessed too often: until when, and goes on then", async () => {
    for (let guess = 0; guess <= GUESSES; guess += 1) {
      await page.request.post(`${box.gateway.url}/api/v1/auth/refresh`, { data: {} });
    }
    await page.reload();
    await page.getByText("Asked too often from this address").waitFor();
    await page.getByText(/^It goes on by itself at \d\d:\d\d\.$/).waitFor();
    expect(await page.getByText("No answer from the box").count()).toBe(0);
    await page.getByText("No receipt yet").waitFor({ timeout: 30_000 });
  });

  test("tells who has guessed at a password until when to wait", async () => {
    const { page: theirs, context } = await openPage(browser);
    await theirs.goto(`${box.gateway.url}/login`);
    await theirs.getByLabel("Email").fill("ion@shop.example");
    for (let guess = 0; guess <= 5; guess += 1) {
      await theirs.getByLabel("Password", { exact: true }).fill(`a wrong password ${guess}`);
      const answer = theirs.waitForResponse("**/auth/login");
      await theirs.keyboard.press("Enter");
      expect((await answer).status()).toBe(guess < 5 ? 401 : 429);
      // What is pressed before the page has taken the answer in is not asked.
      await theirs.locator("button[type=submit]:not([data-loading])").waitFor();
    }
    await theirs.getByText(/^Try again after \d\d:\d\d\.$/).waitFor();
    await context.close();
  });

  test("opens its pages however often, for whoever is signed in", async () => {
    await page.goto(`${box.gateway.url}/receipts`);
    for (let load = 0; load <= GUESSES; load += 1) {
      await page.reload();
      await heading("Receipts");
    }
  });

  test("never broke its own rules on the way", () => {
    // While the box is away there is nobody to open a stream to.
    const away = /^WebSocket connection to|Failed to fetch dynamically imported module/;
    const own = complaints.filter((text) => !away.test(text));
    expect(own).toEqual([]);
  });
});
