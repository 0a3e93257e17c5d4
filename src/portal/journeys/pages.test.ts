/** Every page there is: axe takes it, and it says what is the matter when it cannot be read. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { browsers, faultsForReaders, openPage } from "./browser.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import { sell } from "./shop.ts";
import { ALERT, refusal } from "./staging.ts";
import { smallTargets } from "./touch.ts";

/** Addresses of pages that read, `:name` for what the shop here has. */
const READING = [
  ...["/", "/printers", "/printers/:device", "/printers/:device/actions"],
  ...["/printers/:device/setup?part=lines", "/printers/:device/line", "/printers/:device/history"],
  ...["/printers/:device/manage", "/receipts", "/receipts/:receipt", "/receipts/:receipt/reversal"],
  ...[
    "/reports",
    "/reports/:report",
    "/commands",
    "/alerts",
    "/commands/:command",
    "/doubtful/:command",
  ],
  ...["/settings/shop", "/settings/places", "/settings/places/:place", "/settings/people"],
  ...["/settings/people/:person", "/settings/closing", "/settings/history", "/settings/keys"],
  ...["/settings/keys/:key", "/settings/controllers", "/settings/webhooks", "/settings/network"],
  ...["/settings/backup", "/settings/update", "/settings/about", "/setup/printer", "/setup/test"],
] as const;
/** Those that ask the gateway for nothing before they stand. */
const STANDING = [
  ...["/printers/new", "/settings", "/settings/account", "/settings/people/new"],
  ...["/settings/places/new", "/settings/keys/new", "/settings/webhooks/new", "/more", "/nowhere"],
  ...["/setup/key"],
] as const;
/** Those of nobody in particular. */
const OPEN = ["/login", "/forgotten", "/reset"] as const;

/** At the top, and parts of one page that share what they read: not to be come to from another. */
const LOADED_ANEW = /^\/\w*$|^\/printers\/:device\//;

/** A page that has not said by then what is the matter does not say it. */
const LATE_MS = 8_000;

describe.each(browsers())("every page", (path) => {
  let opened: OpenShop;
  let browser: Browser;
  let page: Page;
  let context: BrowserContext;
  let url: string;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    opened = await openShop(path);
    ({ browser, page, context } = opened);
    const { shop, device } = opened;
    const sold = await sell(shop, device, { name: "Coffee", price: 2.5 });
    await shop.till.wait((await shop.till.submit(device, "z_report")).id);
    const get = shop.owner.expect.bind(shop.owner);
    type Ids = readonly { readonly id: string }[];
    const { receipts } = await get<{ receipts: Ids }>("GET", "/receipts");
    const { reports } = await get<{ reports: Ids }>("GET", "/reports");
    const { members } = await get<{ members: Ids }>("GET", "/org/members");
    const { location } = await get<{ location: { id: string } }>("POST", "/org/locations", {
      name: "Hall",
    });
    const keys = await get<Ids>("GET", "/org/api-keys");
    Object.assign(ids, {
      ...{ device, command: sold.id, place: location.id, receipt: receipts[0]?.id },
      ...{ report: reports[0]?.id, person: members[0]?.id, key: keys[0]?.id },
    });
    url = opened.box.gateway.url;
    await page.goto(url);
    await stands();
  });
  afterAll(() => opened?.close());
  const fill = (address: string) =>
    address.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? `no-${name}`);
  /** Until the page is there, and what it reads. */
  async function stands(): Promise<void> {
    await page.locator("h1, main strong").first().waitFor();
    await page.locator(".mantine-Skeleton-root").first().waitFor({ state: "detached" });
  }
  /** Without loading it anew, as a link does: what was read stays. */
  async function go(address: string): Promise<void> {
    await page.evaluate((to) => history.pushState(null, "", to), fill(address));
    await stands();
  }

  test("is in the lists here", () => {
    const source = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
    const routes = [...source("routes.tsx").matchAll(/path(?::|=) ?"([^"]+)"/g)];
    const settings = [...source("settings-pages.ts").matchAll(/name: "(\w+)",\n +(?:rest|icon)/g)];
    const paths = [
      ...routes.map(([, route = ""]) => route),
      ...settings.map(([, name = ""]) => `/settings/${name}`),
    ];
    const listed = [...READING, ...STANDING, ...OPEN].map((one) => one.replace(/\?.*/, ""));
    const isListed = (route: string) => {
      const [fixed = ""] = route.split(/\/[:*]/);
      const length = route.replace(/\/[^/]*\?$/, "").split("/").length;
      return listed.some(
        (one) => one.startsWith(fixed === "" ? "/" : fixed) && one.split("/").length >= length,
      );
    };
    expect(paths.length).toBeGreaterThan(25);
    expect(paths.filter((route) => !isListed(route))).toEqual([]);
  });

  test("takes letters into the search that are typed before its field is there", async () => {
    await page.goto(url);
    await stands();
    const field = page.getByRole("combobox", { name: "Search" });
    const script = Promise.withResolvers<void>();
    await context.route(/\/assets\/search-/, async (route) => {
      await script.promise;
      await route.continue();
    });
    // With the focus on what a space or Enter would press, and by Cyrillic keys.
    await page.getByRole("button", { name: "Search" }).focus();
    await page.keyboard.down("Control");
    await page.evaluate(() => {
      const init = { key: "к", code: "KeyK", ctrlKey: true, bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", init));
    });
    await page.keyboard.up("Control");
    await page.keyboard.type("caz");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("sh in");
    expect(await field.count()).toBe(0);
    script.resolve();
    await field.waitFor();
    await page.keyboard.type(" Counter");
    expect(await field.inputValue()).toBe("cash in Counter");
    await page.getByRole("option", { name: "Cash in · Counter" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByLabel("Amount").waitFor();
    expect(new URL(page.url()).pathname).toBe(fill("/printers/:device/actions"));
    await page.keyboard.press("Escape");
    await context.unrouteAll({ behavior: "wait" });
  });

  test("can be tried again where its script does not come", async () => {
    await page.goto(url);
    await stands();
    await context.route(/\/assets\/.*\.js$/, (route) => route.abort());
    await page.evaluate(() => history.pushState(null, "", "/commands"));
    await page.getByText("This page did not load").waitFor();
    await page.getByRole("link", { name: "Today", exact: true }).click();
    await page.getByRole("heading", { name: "Today", level: 1 }).waitFor();
    await page.goBack();
    await page.getByText("This page did not load").waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await context.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Requests to printers", level: 1 }).waitFor();
  });

  test("has nothing in the way of those who cannot see it, or who touch it", async () => {
    const faults: string[] = [];
    for (const address of [...READING, ...STANDING]) {
      await go(address);
      if ((await page.locator(`main ${ALERT}`).count()) > 0) faults.push(`${address}: an alert`);
      const found = [...(await smallTargets(page)), ...(await faultsForReaders(page))];
      faults.push(...found.map((fault) => `${address}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });

  test("keeps what it knew while the box is away, grey and with its age", async () => {
    // What nobody has read before cannot be shown later.
    for (const address of READING) await go(address);
    await go("/printers/:device/line");
    // The box is, on top, and what passes between it and the printer.
    const live = page.getByText("live", { exact: true });
    await live.nth(1).waitFor();
    await context.setOffline(true);
    await page.locator('[data-reach="reconnecting"]').waitFor();
    expect(await live.count()).toBe(0);
    await go("/");
    // Some seconds later nobody knows any more, though the page is not called old yet.
    await page.getByText(/^Not known for \d+\ss/).waitFor();
    expect(await page.getByText("Ready", { exact: true }).count()).toBe(0);
    await page.locator('[data-reach="silent"]').waitFor({ timeout: 40_000 });
    const fresh: string[] = [];
    for (const address of READING) {
      await page.evaluate((to) => history.pushState(null, "", to), fill(address));
      const old = page.locator('[data-old="true"]').first();
      await old.waitFor({ state: "attached", timeout: 2_000 }).catch(() => fresh.push(address));
      // Said once: what is part of a page is as old as the page.
      if ((await page.locator('main [data-old="true"] [data-old="true"]').count()) > 0) {
        fresh.push(`${address}: a part says it again`);
      }
    }
    await context.setOffline(false);
    expect(fresh).toEqual([]);
  });

  test("says that something failed, tries again, and says whom to ask where it is refused", async () => {
    let answer = refusal(400, "VALIDATION_ERROR");
    await context.route(/\/api\/v1\/(?!auth)/, (route) =>
      route.request().method() === "GET" ? answer(route) : route.continue(),
    );
    const again = page.getByRole("button", { name: "Try again" }).first();
    const refused = page.getByText("You may not see this").first();
    const faults: string[] = [];
    for (const address of READING) {
      answer = refusal(400, "VALIDATION_ERROR");
      if (LOADED_ANEW.test(address)) await page.goto(`${url}${fill(address)}`);
      else await page.evaluate((to) => history.pushState(null, "", to), fill(address));
      try {
        await page
          .locator(ALERT)
          .filter({ hasText: "The box could not show this" })
          .first()
          .waitFor({ timeout: LATE_MS });
        answer = refusal(403, "FORBIDDEN");
        // A page reads again by itself, too, when its stream of events is there.
        await again.or(refused).first().click({ timeout: LATE_MS });
        await refused.waitFor({ timeout: LATE_MS });
        if ((await page.locator("h1 ~ a:visible").count()) > 0) {
          faults.push(`${address}: offers something beside its title`);
        }
      } catch {
        faults.push(address);
      }
    }
    await context.unrouteAll({ behavior: "ignoreErrors" });
    expect(faults).toEqual([]);
  });

  test("runs no script from a text", async () => {
    const refused = await page.evaluate(() => {
      const made = document.createElement("script");
      const tried = [
        () => document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=alert(1)>"),
        () => {
          made.text = "globalThis.ran = true";
        },
      ];
      return tried.map((one) => {
        try {
          one();
          return "done";
        } catch (error) {
          return error instanceof Error ? error.name : "unknown";
        }
      });
    });
    expect(refused).toEqual(["TypeError", "TypeError"]);
  });

  test("is as wide as the window, whatever somebody has called a thing", async () => {
    const { owner } = opened.shop;
    const rename = (name: string) =>
      Promise.all([
        owner.expect("PATCH", `/devices/${ids.device}`, { name }),
        owner.expect("PATCH", `/org/locations/${ids.place}`, { name }),
        owner.expect("PATCH", "/org", { name }),
      ]);
    await rename("W".repeat(255));
    const wide: string[] = [];
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 768 });
      for (const address of READING) {
        await go(address);
        const found = await page.evaluate("document.documentElement.scrollWidth");
        if (Number(found) > width) wide.push(`${address}: ${found} of ${width}`);
      }
    }
    await page.setViewportSize({ width: 1024, height: 768 });
    await rename("Counter");
    expect(wide).toEqual([]);
  });

  test("of the portal, and no other, is what signing in leads back to", async () => {
    await page.goto(`${url}/login?from=%2F%09%2Fevil.example`);
    await page.getByRole("heading", { name: "Today", level: 1 }).waitFor();
    expect(page.url()).toBe(`${url}/`);
  });

  test("of nobody in particular can be read, too", async () => {
    const stranger = await openPage(browser);
    for (const address of OPEN) {
      await stranger.page.goto(`${url}${address}`);
      await stranger.page.locator("h1").first().waitFor();
      expect(await faultsForReaders(stranger.page)).toEqual([]);
    }
    await stranger.context.close();
  });
});
