/** A page that is loaded anew while the box is asked for something: nothing is done later by itself. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { browsers, faultsForReaders } from "./browser.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import { sell } from "./shop.ts";

const OVER = "It is asked no more; look at the requests";

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="384" height="96"><circle cx="48" cy="48" r="40"/></svg>`;

describe.each(browsers())("a reload of the page", (path) => {
  let opened: OpenShop;
  let page: Page;

  beforeAll(async () => {
    opened = await openShop(path);
  });
  afterAll(() => opened?.close());
  beforeEach(async () => {
    ({ page } = await opened.openAs());
  });
  // Left open, it would read again upon every event of the tests behind it.
  afterEach(() => page.context().close());
  const url = (rest: string) => `${opened.box.gateway.url}/${rest}`;
  const closing = () => page.getByRole("region", { name: "Daily closing (Z)", exact: true });
  const asked = async (type: string) =>
    (await opened.shop.owner.expect<{ commands: object[] }>("GET", `/commands?type=${type}`))
      .commands.length;
  interface Way {
    readonly route: string;
    readonly isHeard: boolean;
  }
  /** Presses the button of a question. @returns once the request is lost; heard by the box or not */
  const press = (name: string, way: Way) =>
    lose(way, () => page.getByRole("dialog").getByRole("button", { name }).click());
  async function lose(way: Way, push: () => Promise<void>) {
    const lost = Promise.withResolvers<void>();
    await page.route(way.route, async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      if (way.isHeard) await route.fetch();
      await route.abort("connectionreset");
      lost.resolve();
    });
    await push();
    await lost.promise;
  }
  /**
   * Ends that requests are lost, and waits for those that are on their way to be: the page asks again by
   * itself, and one whose way is opened meanwhile would be answered.
   */
  const letThrough = () => page.unrouteAll({ behavior: "wait" });
  const LOOKED_UP = /\/api\/v1\/commands\?.*sortOrder=asc/;
  /** What was told is over: the page has forgotten the press. */
  const isForgotten = () => page.waitForFunction("sessionStorage.length === 0");
  async function pressZ(isHeard: boolean) {
    await page.goto(url(`printers/${opened.device}/actions`));
    await page.getByRole("button", { name: "Make the Z report" }).click();
    await press("Print the Z report", { route: "**/api/v1/commands", isHeard });
  }

  test("tells what became of a Z report whose answer was lost", async () => {
    const before = await asked("z_report");
    await pressZ(true);
    // Asked again before that, it would be answered: then there is nothing left to tell.
    await page.reload();
    await letThrough();
    await closing().getByText("Printed", { exact: true }).waitFor();
    expect(await asked("z_report")).toBe(before + 1);
    // What was answered is over.
    await page.reload();
    await closing().getByRole("button", { name: "Make the Z report" }).waitFor();
    expect([await asked("z_report"), await page.evaluate("sessionStorage.length")]).toEqual([
      ...[before + 1, 0],
    ]);
  });

  test("asks nothing by itself, and pressed again it is the same wish", async () => {
    const before = await asked("z_report");
    const keys: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/commands")) {
        keys.push(request.headers()["idempotency-key"]);
      }
    });
    await pressZ(false);
    // It would be told at once that nobody has heard it.
    await page.route(LOOKED_UP, (route) => route.abort("connectionreset"));
    await page.reload();
    await page.unroute("**/api/v1/commands");
    await closing().getByText(OVER).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    const pressed = new Set(keys);
    expect([await asked("z_report"), pressed.size]).toEqual([before, 1]);
    await letThrough();
    await page.getByRole("button", { name: "Make the Z report" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Print the Z report" }).click();
    await closing().getByText("Printed", { exact: true }).waitFor();
    expect([await asked("z_report"), new Set(keys)]).toEqual([before + 1, pressed]);
  });

  /** Has one of three coffees asked back that are sold first, as far as the question. */
  async function askForReversal() {
    const { id } = await lastSale();
    await page.goto(url(`receipts/${id}/reversal`));
    await chooseReversal();
  }
  async function lastSale() {
    await sell(opened.shop, opened.device, { name: "Coffee", price: 2, quantity: 3 });
    const { receipts } = await opened.shop.owner.expect<{ receipts: { id: string }[] }>(
      "GET",
      "/receipts?type=sale&limit=1",
    );
    return { id: receipts[0]?.id ?? "" };
  }
  async function chooseReversal() {
    await page.getByRole("button", { name: "More of Coffee" }).click();
    await page.getByLabel("Return or complaint").check();
    await page.getByRole("button", { name: "Print the reversal" }).click();
  }
  const reversals = async () =>
    (await opened.printer.books()).receipts.filter(({ kind }) => kind === "storno").length;

  test("prints no reversal by itself, and one when it is pressed again behind any of them", async () => {
    const before = await reversals();
    await askForReversal();
    await press("Print the reversal", { route: "**/storno", isHeard: false });
    // Nor is it heard what became of it.
    await page.route(LOOKED_UP, (route) => route.abort("connectionreset"));
    for (const _ of [1, 2]) {
      await page.reload();
      await page.getByText(OVER).waitFor();
      await page.getByText("€6.00 of €6.00 can still be reversed.").waitFor();
    }
    expect(await faultsForReaders(page)).toEqual([]);
    await page.unroute("**/storno");
    await chooseReversal();
    await page.getByRole("dialog").getByRole("button", { name: "Print the reversal" }).click();
    await page.getByText("€4.00 of €6.00 can still be reversed.").waitFor();
    await page.getByText(/^Printed, number \d+\.$/).waitFor();
    expect([await reversals(), await page.evaluate("sessionStorage.length")]).toEqual([
      ...[before + 1, 0],
    ]);
  });

  test("makes no second reversal of one that the box has heard, however often it is done", async () => {
    const before = await reversals();
    const keys = new Set<string | undefined>();
    page.on("request", (request) => {
      if (request.url().endsWith("/storno")) keys.add(request.headers()["idempotency-key"]);
    });
    await askForReversal();
    await press("Print the reversal", { route: "**/storno", isHeard: true });
    await page.route(LOOKED_UP, (route) => route.abort("connectionreset"));
    for (const _ of [1, 2]) {
      await page.reload();
      await page.getByText(OVER).waitFor();
    }
    await page.unroute("**/storno");
    // Whoever presses before it is known what became of it presses for the same.
    await chooseReversal();
    await page.getByRole("dialog").getByRole("button", { name: "Print the reversal" }).click();
    await page.getByText(/^Printed, number \d+\.$/).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText("€4.00 of €6.00 can still be reversed.").waitFor();
    expect([await reversals(), keys.size]).toEqual([before + 1, 1]);
  });

  test("tells of a reversal what became of it once that can be looked up", async () => {
    const before = await reversals();
    await askForReversal();
    await press("Print the reversal", { route: "**/storno", isHeard: true });
    await page.route(LOOKED_UP, (route) => route.abort("connectionreset"));
    await page.reload();
    await page.getByText(OVER).waitFor();
    await page.unroute(LOOKED_UP);
    await page.getByText(/^Printed, number \d+\.$/).waitFor();
    await page.getByText(OVER).waitFor({ state: "detached" });
    await page.getByText("Goes back: €0.00").waitFor();
    await isForgotten();
    await page.reload();
    await page.getByText("€4.00 of €6.00 can still be reversed.").waitFor();
    expect([await reversals(), await page.getByText(OVER).count()]).toEqual([before + 1, 0]);
  });

  test("is remembered however often it is done while the box is away, and told to be over then", async () => {
    await pressZ(false);
    // Nor is it heard what became of it.
    await page.route("**/api/v1/commands?*", (route) => route.abort("connectionreset"));
    for (const _ of [1, 2]) {
      await page.reload();
      await closing().getByText(OVER).waitFor();
    }
    await letThrough();
    await closing().getByText("The box has not heard this: nothing was done.").waitFor();
    await isForgotten();
    await page.reload();
    await closing().getByRole("button", { name: "Make the Z report" }).waitFor();
    expect([
      await page.getByText(OVER).count(),
      await page.evaluate("sessionStorage.length"),
    ]).toEqual([0, 0]);
  });

  test("has the slip of the set-up looked up, whether the box has heard it or not", async () => {
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const before = await asked("non_fiscal_receipt");
    for (const isHeard of [false, true]) {
      await page.goto(url("setup/test"));
      await lose({ route: "**/api/v1/commands", isHeard }, () => button("Print it").click());
      await page.route(LOOKED_UP, (route) => route.abort("connectionreset"));
      for (const _ of [1, 2]) {
        await page.reload();
        await page.getByText(OVER).waitFor();
      }
      expect(await faultsForReaders(page)).toEqual([]);
      await letThrough();
      const told = isHeard
        ? "Did paper come out?"
        : "The box has not heard this: nothing was done.";
      await page.getByText(told).waitFor();
      expect(await asked("non_fiscal_receipt")).toBe(before + Number(isHeard));
    }
  });

  test("tells what became of a header that was being stored", async () => {
    await page.goto(url(`printers/${opened.device}/setup?part=lines`));
    await page.getByLabel("Above the receipt").fill("Corner Shop");
    await lose({ route: "**/api/v1/commands", isHeard: true }, () =>
      page.getByRole("button", { name: "Save", exact: true }).click(),
    );
    await page.reload();
    await letThrough();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await page.getByLabel("Above the receipt").inputValue()).toBe("Corner Shop");
    expect(
      await opened.shop.owner.expect("GET", `/devices/${opened.device}/header-footer`),
    ).toMatchObject({ header: ["Corner Shop"] });
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
  });

  test("tells what became of a logo that was being stored, heard or not", async () => {
    const file = { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(LOGO) };
    const push = () => page.getByRole("button", { name: "Send to the printer" }).click();
    for (const isHeard of [false, true]) {
      await page.goto(url(`printers/${opened.device}/setup?part=logo`));
      await page.locator('input[type="file"]').setInputFiles(file);
      await page.getByRole("button", { name: "Send to the printer" }).waitFor();
      await lose({ route: "**/api/v1/commands", isHeard }, push);
      await page.route(LOOKED_UP, (route) => route.abort("connectionreset"));
      await page.reload();
      await page.getByText(OVER).waitFor();
      await letThrough();
      const told = isHeard ? /^Saved$/ : /^The box has not heard this: nothing was done\./;
      await page.getByText(told).waitFor();
    }
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
  });

  test("keeps what was pressed at each button of a printer, over every one", async () => {
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const region = (name: string) => page.getByRole("region", { name, exact: true });
    const way = { route: "**/api/v1/commands", isHeard: false };
    const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name });
    const putIn = async () => {
      await button("Cash in").click();
      await page.getByRole("dialog").getByLabel("Amount", { exact: true }).fill("5");
      await inDialog("Put in €5.00").click();
    };
    const repeat = async () => {
      await button("Print the duplicate").click();
      await inDialog("Print the duplicate").click();
    };
    const write = async () => {
      await page.getByLabel("Text", { exact: true }).fill("Open till 6");
      await button("Print the text").click();
    };
    const pushes: readonly (readonly [region: string, push: () => Promise<void>])[] = [
      ["Daily reading (X)", () => button("Print the X report").click()],
      ["Drawer", () => button("Open the drawer").click()],
      ["Cash in and out", putIn],
      ["Duplicate", repeat],
      ["Non-fiscal slip", write],
    ];
    const { id } = await lastSale();
    const { commands: before } = await opened.shop.owner.expect<{ commands: object[] }>(
      ...(["GET", "/commands"] as const),
    );
    await page.route(LOOKED_UP, (route) => route.abort("connectionreset"));
    for (const [, push] of pushes) {
      await page.goto(url(`printers/${opened.device}/actions`));
      await lose(way, push);
    }
    for (const _ of [1, 2]) {
      await page.reload();
      for (const [name] of pushes) await region(name).getByText(OVER).waitFor();
    }
    // The duplicate has a button there too.
    await page.goto(url(`receipts/${id}`));
    await page.getByText(OVER).waitFor();
    await letThrough();
    await page.goto(url(`printers/${opened.device}/actions`));
    for (const [name] of pushes) {
      await region(name).getByText("The box has not heard this: nothing was done.").waitFor();
    }
    await isForgotten();
    await page.reload();
    await button("Print the X report").waitFor();
    expect([
      await page.getByText(OVER).count(),
      await page.evaluate("sessionStorage.length"),
    ]).toEqual([0, 0]);
    const { commands } = await opened.shop.owner.expect<{ commands: object[] }>("GET", "/commands");
    expect(commands).toHaveLength(before.length);
  });

  test("tells whoever pressed it what became of it, and nobody who is there between", async () => {
    const cashier = { email: "ion@shop.example", password: "a long enough password" };
    const member = { ...cashier, name: "Ion", role: "operator" };
    await opened.shop.owner.expect("POST", "/org/members", member);
    const before = await asked("z_report");
    await pressZ(true);
    const other = await page.context().newPage();
    await other.goto(url("more"));
    // It stands in the shell too.
    const signOut = (at: Page) => at.getByRole("button", { name: "Sign out" }).first().click();
    const signIn = async ({ email, password }: typeof cashier) => {
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
      // Back where one was: a page that is loaded once more may find that all is told already.
      await closing().getByRole("button", { name: "Make the Z report" }).waitFor();
    };
    await signOut(other);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await letThrough();
    await signIn(cashier);
    await page.reload();
    await closing().getByRole("button", { name: "Make the Z report" }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(
      await closing()
        .getByText(/Printed|asked no more|not heard/)
        .count(),
    ).toBe(0);
    await signOut(page);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await signIn(opened.shop);
    await closing().getByText("Printed", { exact: true }).waitFor();
    expect([await asked("z_report"), await page.evaluate("sessionStorage.length")]).toEqual([
      ...[before + 1, 0],
    ]);
  });
});
