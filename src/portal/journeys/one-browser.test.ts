/** Several people at one browser, one after the other: each is out when she has signed out. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { until } from "../../e2e/harness/until.ts";
import { browsers, faultsForReaders } from "./browser.ts";
import { type OpenShop, openShop } from "./open-shop.ts";

const UNHEARD = "The box has not heard yet that you signed out";

describe.each(browsers())("a browser that several people use", (path) => {
  let opened: OpenShop;
  let page: Page;
  let context: BrowserContext;

  beforeAll(async () => {
    opened = await openShop(path);
  });
  afterAll(() => opened?.close());
  beforeEach(async () => {
    ({ page, context } = await opened.openAs());
  });
  // Left open, it would read again upon every event of the tests behind it.
  afterEach(() => context.close());
  const url = (rest: string) => `${opened.box.gateway.url}/${rest}`;
  /** It stands in the shell too. */
  const signOut = () => page.getByRole("button", { name: "Sign out", exact: true }).first().click();
  const signIn = () => page.getByRole("button", { name: "Sign in", exact: true });
  const refreshed = async () =>
    (
      await context.request.post(url("api/v1/auth/refresh"), {
        headers: { "X-Session": "cookie" },
        data: {},
      })
    ).status();
  const lose = () => context.route("**/auth/logout", (route) => route.abort("connectionreset"));

  test("says on the login page that the box has not heard of the sign-out, and tells it again", async () => {
    await page.goto(url("receipts"));
    await page.clock.install();
    await lose();
    await signOut();
    await page.getByText(UNHEARD).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await context.unroute("**/auth/logout");
    await until("the box to hear of it", async () => {
      await page.clock.fastForward(4_000);
      return (await page.getByText(UNHEARD).count()) === 0;
    });
    expect(await refreshed()).toBe(401);
  });

  test("lets nobody in by a session whose end the box has not heard of", async () => {
    await page.goto(url(""));
    await lose();
    await signOut();
    await signIn().waitFor();
    await page.close();
    await context.unroute("**/auth/logout");
    const next = await context.newPage();
    const asked: string[] = [];
    next.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await next.goto(url("receipts"));
    await next.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    expect([asked.includes("/api/v1/auth/refresh"), await refreshed()]).toEqual([false, 401]);
  });

  test("lets somebody in whose box is there again, though it was being told in vain as she signed in", async () => {
    await page.goto(url(""));
    const lost = Promise.withResolvers<void>();
    const once = { times: 1 };
    await context.route(
      "**/auth/logout",
      (route) => lost.promise.then(() => route.abort("connectionreset")),
      once,
    );
    await signOut();
    await page.getByLabel("Email").fill(opened.shop.email);
    await page.getByLabel("Password", { exact: true }).fill(opened.shop.password);
    await signIn().click();
    await page.locator("button[data-loading]").waitFor();
    lost.resolve();
    await page.getByRole("button", { name: "Sign out", exact: true }).first().waitFor();
  });

  test("ends all sessions of a person before the next one is let in", async () => {
    const cashier = { email: "ion@shop.example", password: "a long enough password" };
    const member = { ...cashier, name: "Ion", role: "operator" };
    await opened.shop.owner.expect("POST", "/org/members", member);
    const [own, other] = [await opened.openAs(cashier), await opened.openAs(cashier)];
    await context.close();
    ({ page, context } = own);
    await page.goto(url("settings/account"));
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await lose();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByText(UNHEARD).waitFor();
    await context.unroute("**/auth/logout");
    await page.getByLabel("Email").fill(cashier.email);
    await page.getByLabel("Password", { exact: true }).fill(cashier.password);
    await signIn().click();
    await page.getByRole("heading", { name: "My account", level: 1 }).waitFor();
    const answer = await other.context.request.post(url("api/v1/auth/refresh"), {
      headers: { "X-Session": "cookie" },
      data: {},
    });
    expect(answer.status()).toBe(401);
    await page.reload();
    await page.getByRole("heading", { name: "My account", level: 1 }).waitFor();
    await other.context.close();
  });

  test("offers a cashier nothing that she would be refused where there is no printer yet", async () => {
    const cashier = { email: "ana@shop.example", password: "a long enough password" };
    const member = { ...cashier, name: "Ana", role: "operator" };
    await opened.shop.owner.expect("POST", "/org/members", member);
    const own = await opened.openAs(cashier);
    await own.page.route("**/api/v1/devices", (route) => route.fulfill({ json: [] }));
    await own.page.goto(url("reports"));
    await own.page.getByText("The owner or a manager of the shop adds it.").waitFor();
    expect(await own.page.getByRole("link", { name: "Find my printer" }).count()).toBe(0);
    await own.context.close();
  });

  test("hears what happens as whoever is signed in by now, also in a tab that stood open", async () => {
    const email = "cash@shop.example";
    const { setupToken } = await opened.shop.owner.expect<{ setupToken: string }>(
      ...(["POST", "/org/members"] as const),
      { email, name: "Cash", role: "operator" },
    );
    await page.goto(url("settings/account"));
    await page.getByText("live", { exact: true }).waitFor();
    const streams: string[] = [];
    page.on("websocket", (stream) => streams.push(stream.url()));
    const two = await context.newPage();
    await two.goto(url(`reset#${new URLSearchParams({ code: setupToken, email })}`));
    await two.getByLabel("New password").fill("correct horse battery");
    await two.getByRole("button", { name: "Set the password" }).click();
    await two.waitForURL(url(""));
    await page.getByText(email).first().waitFor();
    await until("a stream of her own", () => streams.length > 0);
    expect(streams[0]).not.toContain("since=");
    await page.getByText("live", { exact: true }).waitFor();
  });
});
