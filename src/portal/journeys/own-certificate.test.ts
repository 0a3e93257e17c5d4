/** A box with a certificate of its own: the lines for the till's programmer work as they are shown. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { hasPrograms, mustRun } from "../../e2e/harness/other-runtime.ts";
import { textOf } from "../../e2e/harness/own-process.ts";
import { until } from "../../e2e/harness/until.ts";
import { browsers, faultsForReaders, openPage, signIn, startBrowser } from "./browser.ts";
import { type Box, openBox, setUp } from "./shop.ts";

describe.each(browsers())("the portal over the box's own certificate", (path) => {
  let box: Box;
  let browser: Browser;

  beforeAll(async () => {
    const args = ["--https-listen=127.0.0.1:0", "--https-certificate=own"];
    [box, browser] = await Promise.all([openBox(args), startBrowser(path)]);
  });
  afterAll(async () => {
    await browser.close();
    await box.close();
  });

  test("gives the file and the line by which curl prints the first receipt", async () => {
    if (!hasPrograms("the line for curl", ["curl", "sh"])) return;
    const { shop, printers } = await setUp(box, ["Counter"]);
    // It is told behind the plain address, by which the gateway counts as started.
    const ready = await until("the address of HTTPS", () =>
      box.gateway
        .output()
        .split("\n")
        .find((one) => one.includes('"listening with TLS"')),
    );
    const secure = textOf(JSON.parse(ready), "url");
    const { page, context, complaints } = await openPage(browser, { ignoreHTTPSErrors: true });
    await signIn(context, secure, shop);
    await page.goto(`${secure}/setup/key`);
    await page.getByRole("button", { name: "Make another key", exact: true }).click();
    const line = page
      .getByRole("region", { name: "curl" })
      .getByTitle("Copy")
      .locator("span")
      .first();
    const text = (await line.textContent()) ?? "";
    expect(text).toContain(" --cacert fiscald-ca.pem ");
    expect(await faultsForReaders(page)).toEqual([]);
    const saving = page.waitForEvent("download");
    await page.getByRole("link", { name: "fiscald-ca.pem" }).click();
    await (await saving).saveAs(`${box.folder}/fiscald-ca.pem`);
    await mustRun(box.folder, ["sh", "-c", text]);
    const { commands } = await shop.owner.expect<{ commands: { id: string }[] }>(
      "GET",
      "/commands?type=print_receipt",
    );
    expect((await shop.owner.wait(commands[0]?.id ?? "")).status).toBe("completed");
    expect((await printers[0]?.printer.books())?.receiptCount).toBe(1);
    expect(complaints).toEqual([]);
  });
});
