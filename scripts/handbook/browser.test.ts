/** The handbook in a real browser: under a gateway's policy, and on a file server below a path. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { createHandbook } from "../../src/http/handbook.ts";
import {
  browsers,
  faultsForReaders,
  openPage,
  startBrowser,
} from "../../src/portal/journeys/browser.ts";
import { handbookFiles } from "../handbook.ts";
import { buildSite } from "./site.ts";

type Server = ReturnType<typeof Bun.serve>;

const BELOW = "/manuals/fiscald/";

/** What a gateway answers below /docs. */
function serveHandbook(): Server {
  const handbook = createHandbook(handbookFiles);
  return Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch: async (request) =>
      (await handbook(request, new URL(request.url).pathname)) ?? new Response("", { status: 404 }),
  });
}

/** Any web server, with the files in a folder. */
async function serveFiles(): Promise<Server> {
  const { files } = await buildSite({ isServed: false });
  return Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      const name = pathname.startsWith(BELOW) ? pathname.slice(BELOW.length) || "index.html" : "";
      const content = files.get(name);
      const type = Bun.file(name).type;
      return content === undefined
        ? new Response("", { status: 404 })
        : new Response(content, { headers: { "Content-Type": type } });
    },
  });
}

describe.each(browsers())("the handbook in %s", (program) => {
  let browser: Browser;
  let gateway: Server;
  let files: Server;
  beforeAll(async () => {
    // Built here, as the first page would wait for it longer than a browser has patience.
    [browser, files] = await Promise.all([startBrowser(program), serveFiles(), handbookFiles()]);
    gateway = serveHandbook();
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([gateway?.stop(true), files?.stop(true)]);
  });

  const here = (page: Page): string => page.url().replace(/^https?:\/\/[^/]+/, "");

  /** Types into the search, opens the first place that it finds. */
  async function search(page: Page, words: string): Promise<void> {
    await page.keyboard.press("/");
    await page.keyboard.type(words);
    await page.locator(".place[aria-selected=true]").waitFor();
    await page.keyboard.press("Enter");
  }

  test("is searched by keyboard, also when the network is gone", async () => {
    const { page, context, complaints } = await openPage(browser);
    await page.goto(`${gateway.url}docs/`);
    await search(page, "E306");
    await page.waitForURL("**/docs/errors.html#e306");
    await page.keyboard.press("/");
    // The index has come with the first key, before anything is typed.
    await page.waitForFunction(
      "performance.getEntriesByName(new URL('search.json', location).href).length > 0",
    );
    await context.setOffline(true);
    await page.keyboard.type("corsOrigins");
    const first = page.locator(".place[aria-selected=true]");
    await first.waitFor();
    expect(await first.getAttribute("href")).toBe("settings.html#http.corsOrigins");
    await page.keyboard.press("ArrowDown");
    expect(await page.locator(".place").nth(1).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Escape");
    expect(await page.locator("#found").isVisible()).toBe(false);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("zebracrossing");
    await page.getByText("Nothing about “zebracrossing”.").waitFor();
    await context.setOffline(false);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("is dark where the reader wants it so, and stays so", async () => {
    const { page, context } = await openPage(browser, { colorScheme: "light" });
    const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await page.goto(`${gateway.url}docs/tls.html`);
    const light = await ground();
    await page.getByRole("button", { name: "Dark" }).click();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.goto(`${gateway.url}docs/settings.html`);
    expect(await ground()).toBe(dark);
    // Paper is white, whatever the screen is.
    await page.emulateMedia({ media: "print" });
    expect(await ground()).toBe("rgb(255, 255, 255)");
    await context.close();
  });

  test("fits a phone, and suits readers of screens, on every page", async () => {
    const { page, context, complaints } = await openPage(browser, {
      viewport: { width: 360, height: 740 },
    });
    const names = [...(await handbookFiles()).keys()].filter((name) => name.endsWith(".html"));
    const wide: string[] = [];
    for (const name of names) {
      await page.goto(`${gateway.url}docs${name}`);
      const width = await page.evaluate("document.documentElement.scrollWidth");
      if (width !== 360) wide.push(`${name} is ${width} wide`);
    }
    expect(wide).toEqual([]);
    for (const name of ["index", "settings", "till-integration"]) {
      await page.goto(`${gateway.url}docs/${name}.html`);
      expect(await faultsForReaders(page)).toEqual([]);
    }
    await page.getByText("All pages").click();
    await page.getByRole("link", { name: "Backups", exact: true }).click();
    await page.waitForURL("**/docs/backup.html");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("can be read without scripts", async () => {
    const { page, context } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(`${gateway.url}docs/tls.html`);
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await page.waitForURL("**/docs/settings.html");
    expect(await page.locator("#search").isVisible()).toBe(false);
    await context.close();
  });

  test("works from any file server, below any path", async () => {
    const { page, context, complaints } = await openPage(browser);
    await page.goto(`${files.url.origin}${BELOW}`);
    await search(page, "http.trustProxy");
    await page.waitForURL("**/settings.html#http.trustProxy");
    expect(here(page)).toBe(`${BELOW}settings.html#http.trustProxy`);
    await page.locator("a[rel=next]").click();
    await page.waitForURL("**/commands.html");
    await page.goto(`${files.url.origin}${BELOW}simulator.html`);
    const picture = page.getByRole("img", { name: "A receipt" });
    expect(await picture.evaluate((image) => Reflect.get(image, "naturalWidth") > 0)).toBe(true);
    expect(await page.locator(".beside").count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
