/** What stands in the place of data that are on their way: where these come, nothing jumps. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startSeverableLine } from "../../e2e/harness/severable-line.ts";
import { until } from "../../e2e/harness/until.ts";
import { browsers, openPage, signIn } from "./browser.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import { sell } from "./shop.ts";

describe.each(browsers())("a page whose data are on their way", (path) => {
  let opened: OpenShop;

  beforeAll(async () => {
    opened = await openShop(path);
    await sell(opened.shop, opened.device, { name: "Coffee", price: 2.5 });
  });
  afterAll(() => opened?.close());

  /** Where the first thing of a page stands, before its data are there and afterwards. */
  async function places(asked: {
    readonly page: string;
    readonly reads: RegExp;
    readonly first: string;
  }) {
    const { page, box } = opened;
    const read = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    await page.route(asked.reads, async (route) => {
      read.resolve();
      await free.promise;
      await route.continue();
    });
    await page.goto(`${box.gateway.url}${asked.page}`);
    const place = async (what: string) => {
      const first = page.locator(what).first();
      await first.waitFor();
      return first.boundingBox();
    };
    // What stands there while the page's own script is on its way is not what its data replace.
    await read.promise;
    const before = await place("main .mantine-Skeleton-root");
    free.resolve();
    const after = await place(asked.first);
    await page.unrouteAll({ behavior: "wait" });
    return [before, after];
  }

  test.each([
    ["/printers", /\/api\/v1\/devices$/, "main li a"],
    ["/settings/people", /\/api\/v1\/org\/members$/, "main li > a:has(strong)"],
  ])("%s has rows where rows will be", async (page, reads, first) => {
    const [before, after] = await places({ page, reads, first });
    expect(before?.x).toBeCloseTo(after?.x ?? 0, -1);
    expect(before?.y).toBeCloseTo(after?.y ?? 0, -1);
    expect(Math.abs((before?.height ?? 0) - (after?.height ?? 0))).toBeLessThan(24);
  });

  test("a receipt has its paper where the paper will be", async () => {
    const { receipts } = await opened.shop.owner.expect<{ receipts: { id: string }[] }>(
      "GET",
      "/receipts?limit=1",
    );
    const id = receipts[0]?.id;
    const [before, after] = await places({
      ...{ page: `/receipts/${id}`, reads: new RegExp(`/api/v1/receipts/${id}$`) },
      first: "main figure",
    });
    expect([before?.x, before?.y]).toEqual([after?.x, after?.y]);
    expect(before?.width).toBeCloseTo(after?.width ?? 0, 0);
  });

  test("a change that comes before the first answer is shown behind it", async () => {
    const { page, box, shop } = opened;
    const { id } = await shop.owner.expect<{ id: string }>("POST", "/devices/simulated", {
      ...{ name: "Old name", driver: "vendorA.isl", locationId: "shop" },
    });
    const path = new RegExp(`/api/v1/devices/${id}$`);
    const free = Promise.withResolvers<void>();
    const read = Promise.withResolvers<void>();
    const told = Promise.withResolvers<void>();
    let isHeard = false;
    page.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) => {
        isHeard ||= String(payload).includes('"device.updated"');
      });
    });
    // What was there before is read again for the event: the page has taken it in.
    page.on("request", (request) => {
      if (isHeard && request.url().endsWith(`/devices/${id}/alerts`)) told.resolve();
    });
    await page.route(
      path,
      async (route) => {
        const old = await route.fetch();
        read.resolve();
        await free.promise;
        await route.fulfill({ response: old });
      },
      { times: 1 },
    );
    await page.goto(`${box.gateway.url}/printers/${id}`);
    await read.promise;
    // Before its stream is open it hears of nothing, and reads everything when it opens.
    await page.locator('[data-reach="live"]').waitFor();
    await shop.owner.expect("PATCH", `/devices/${id}`, { name: "New name" });
    await told.promise;
    free.resolve();
    await page.getByRole("heading", { name: "New name", level: 1 }).waitFor();
  });

  test("come to a row far down a long list", async () => {
    const { box, page, shop } = opened;
    const { id: deviceId } = await shop.owner.expect<{ id: string }>("POST", "/devices", {
      ...{ name: "Driven by nobody", driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
      ...{ managedBy: "remote", connectionParams: { host: "127.0.0.1", port: 9 } },
    });
    const body = { deviceId, type: "x_report", payload: {} };
    const asked: string[] = [];
    while (asked.length < 90) {
      const { command } = await shop.till.expect<{ command: { id: string } }>(
        "POST",
        "/commands",
        body,
      );
      asked.push(command.id);
    }
    await page.goto(`${box.gateway.url}/commands?printer=${deviceId}`);
    const row = page.locator(`main li a[href="/commands/${asked[0]}"]`);
    await until("the first of them", async () => {
      await page.mouse.wheel(0, 4_000);
      return row.isVisible();
    });
    await row.getByText("Waits").waitFor();
    await shop.owner.expect("DELETE", `/commands/${asked[0]}`);
    await row.getByText("Cancelled").waitFor();
    // One that is not in sight meanwhile shows how it stands where its reader comes back to it.
    const last = page.locator(`main li a[href="/commands/${asked.at(-1)}"]`);
    await page.evaluate(() => window.scrollTo(0, 0));
    await last.waitFor();
    await shop.owner.expect("DELETE", `/commands/${asked[1]}`);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.locator(`main li a[href="/commands/${asked[1]}"]`).getByText("Cancelled").waitFor();
    // The last of the first fifty is there no more once there is a new one.
    const pushedOut = page.locator(`main li a[href="/commands/${asked[40]}"]`);
    await page.evaluate(() => window.scrollTo(0, 0));
    await last.waitFor();
    await shop.till.expect("POST", "/commands", body);
    await page.getByText("1 new").waitFor();
    await until("the last of the first fifty", async () => {
      await page.mouse.wheel(0, 400);
      return pushedOut.isVisible();
    });
    await shop.owner.expect("DELETE", `/commands/${asked[40]}`);
    await pushedOut.getByText("Cancelled").waitFor();
    // What has left the list's filter stays where it is, as it is now.
    await page.goto(`${box.gateway.url}/commands?printer=${deviceId}&status=pending`);
    const [upper = "", lower = ""] = [asked[88], asked[20]];
    for (const id of [upper, lower]) {
      const waiting = page.locator(`main li a[href="/commands/${id}"]`);
      await until(`the row of ${id}`, async () => {
        await page.mouse.wheel(0, 400);
        return waiting.isVisible();
      });
      await waiting.getByText("Waits").waitFor();
      const place = await waiting.boundingBox();
      await shop.owner.expect("DELETE", `/commands/${id}`);
      await waiting.getByText("Cancelled").waitFor();
      expect(await waiting.boundingBox()).toEqual(place);
    }
    // Beyond the first fifty nobody has counted.
    for (const _ of asked.slice(0, 49)) await shop.till.expect("POST", "/commands", body);
    await page.getByText("49 new").waitFor();
    for (const _ of [50, 51]) await shop.till.expect("POST", "/commands", body);
    await page.getByText("At least 50 new").waitFor();
  });

  test("come behind a connection that ended without a word, of a printer's line too", async () => {
    const { box, browser, shop, device } = opened;
    const { hostname: host, port } = new URL(box.gateway.url);
    const way = await startSeverableLine({ host, port: Number(port) });
    const { page: list, context } = await openPage(browser);
    try {
      const url = `http://${way.host}:${way.port}`;
      await signIn(context, url, shop);
      const line = await context.newPage();
      await list.goto(`${url}/receipts`);
      await line.goto(`${url}/printers/${device}/line`);
      for (const page of [list, line]) {
        await page.locator('[data-reach="live"]').waitFor();
        await page.locator("main li").first().waitFor();
      }
      way.forget();
      await sell(shop, device, { name: "Oolong", price: 3 });
      await Promise.all([list, line].map((page) => page.getByText("Oolong").first().waitFor()));
    } finally {
      await context.close();
      way.close();
    }
  });

  test("come where nothing is heard any more, although the box answers", async () => {
    const { box, shop, device } = opened;
    const { page: theirs, context } = await opened.openAs();
    let isDead = false;
    await theirs.routeWebSocket(/\/api\/v1\/events\?/, (stream) => {
      const gateway = stream.connectToServer();
      const isFirst = !isDead;
      gateway.onMessage((text) => {
        if (!isFirst || !isDead) stream.send(text);
      });
    });
    await theirs.clock.install();
    await theirs.goto(`${box.gateway.url}/receipts`);
    await theirs.locator('[data-reach="live"]').waitFor();
    await theirs.locator("main li").first().waitFor();
    isDead = true;
    await sell(shop, device, { name: "Rooibos", price: 3 });
    // The gateway says something each 15 seconds.
    await theirs.clock.fastForward(20_000);
    await theirs.getByText("Rooibos").waitFor();
    await context.close();
  });

  test("of a printer come when it says how it is, and until then nobody calls it ready", async () => {
    const { box, shop, device, printer } = opened;
    const { page: theirs, context } = await opened.openAs();
    let tell = (_: object) => {};
    await theirs.routeWebSocket(/\/api\/v1\/events\?/, (stream) => {
      stream.connectToServer();
      tell = (event) => stream.send(JSON.stringify(event));
    });
    await printer.fault({ kind: "paper_out" });
    await shop.till.wait((await shop.till.submit(device, "get_status")).id);
    // As behind a start of the box, until it has asked the printer for the first time: the alert was told
    // before, and is not told again.
    let isUnread = true;
    await theirs.route(/\/api\/v1\/devices$/, async (route) => {
      const response = await route.fetch();
      const devices: object[] = await response.json();
      const unread = isUnread ? { stateReadAt: null } : {};
      await route.fulfill({ response, json: devices.map((one) => ({ ...one, ...unread })) });
    });
    await theirs.route(/\/devices\/alerts$/, (route) =>
      isUnread ? route.fulfill({ json: { alerts: {} } }) : route.continue(),
    );
    await theirs.goto(`${box.gateway.url}/printers`);
    const row = theirs.locator(`main li a[href="/printers/${device}"]`);
    await row.getByText("State not known yet").waitFor();
    await theirs.locator('[data-reach="live"]').waitFor();
    isUnread = false;
    tell({ id: "evt_1", type: "device.state_read", data: {} });
    await row.getByText("Paper is out").waitFor();
    await printer.clear();
    await theirs.unrouteAll({ behavior: "wait" });
    await context.close();
  });

  test("of a printer's line wait for a controller that takes its time to show it", async () => {
    const { box, device } = opened;
    const { page: theirs, context } = await opened.openAs();
    const free = Promise.withResolvers<void>();
    let asked = 0;
    await theirs.route(/\/trace\?follow/, async (route) => {
      asked += 1;
      await free.promise;
      await route.continue();
    });
    await theirs.clock.install();
    const request = theirs.waitForRequest(/\/trace\?follow/);
    await theirs.goto(`${box.gateway.url}/printers/${device}/line`);
    await request;
    await theirs.clock.fastForward(9_000);
    free.resolve();
    await theirs.locator("main li").first().waitFor();
    expect(asked).toBe(1);
    await context.close();
  });
});
