/** A webhook in a browser: its receiver fails, is mended, and gets what it missed. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Shop } from "../../e2e/harness/gateway.ts";
import { signatureHeaders } from "../../webhooks/signature.ts";
import {
  type Certificate,
  type Endpoint,
  makeCertificate,
  startEndpoint,
} from "../../webhooks/testing/https-endpoint.ts";
import { browsers, faultsForReaders } from "./browser.ts";
import { pressOn, typeInto } from "./keyboard.ts";
import { type OpenShop, openShop } from "./open-shop.ts";
import { type Box, sell } from "./shop.ts";

describe.each(browsers())("a webhook", (path) => {
  let opened: OpenShop;
  let box: Box;
  let page: Page;
  let certificate: Certificate;
  let receiver: Endpoint;
  /** What the receiver answers, until it is mended. */
  let fault: string | undefined;
  let shop: Shop;
  let sale: () => Promise<unknown>;
  let complaints: readonly string[];

  beforeAll(async () => {
    certificate = makeCertificate();
    const args = [
      ...["--webhooks-allow-loopback=true", `--webhooks-ca-file=${certificate.caFile}`],
      "--webhooks-max-attempts=2",
    ];
    [opened, receiver] = await Promise.all([
      openShop(path, { args }),
      startEndpoint(certificate, (response) => {
        if (fault === undefined) response.writeHead(204).end();
        else response.writeHead(503).end(fault);
      }),
    ]);
    ({ box, page, shop, complaints } = opened);
    sale = () => sell(shop, opened.device, { name: "Coffee", price: 2.5 });
  });
  beforeEach(async () => {
    const { webhooks } = await shop.owner.expect<{ webhooks: { id: string }[] }>(
      "GET",
      "/org/webhooks",
    );
    for (const { id } of webhooks) await shop.owner.expect("DELETE", `/org/webhooks/${id}`);
    receiver.received.length = 0;
    fault = undefined;
    await page.goto(`${box.gateway.url}/settings/webhooks`);
  });
  afterAll(async () => {
    await opened?.close();
    await receiver?.stop();
    certificate?.remove();
  });
  /** Opens the page of a webhook that tells of what is printed. @returns its secret */
  async function openMade(): Promise<string> {
    const url = `https://127.0.0.1:${receiver.port}/in`;
    const { webhook } = await shop.owner.expect<{ webhook: { id: string; secret: string } }>(
      "POST",
      "/org/webhooks",
      { url, events: ["command.completed"] },
    );
    await page.goto(`${box.gateway.url}/settings/webhooks/${webhook.id}`);
    await page.getByText("Nothing was sent yet").first().waitFor();
    return webhook.secret;
  }
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  /** The ids of the events that the receiver was sent, in order. */
  const books = () => receiver.received.map(({ headers }) => headers["webhook-id"]);
  /** Goes from one control to the next until the one of that name has the focus. */
  async function tabTo(name: RegExp): Promise<void> {
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press("Tab");
      const text = await page.evaluate("document.activeElement?.textContent ?? ''");
      if (name.test(String(text))) return;
    }
    throw new Error(`the tabulator does not come to ${name}`);
  }

  test("is made by the keys alone, and its secret shown once", async () => {
    await pressOn(page, page.getByRole("link", { name: "Add a webhook" }).first());
    const address = page.getByLabel("Address of your server");
    await typeInto(page, address, "https://127.0.0.1:1/nowhere else");
    await pressOn(page, button("Add it"));
    await page.getByRole("alert").waitFor();
    await typeInto(page, address, "");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.insertText(`https://127.0.0.1:${receiver.port}/in`);
    await typeInto(page, page.getByLabel("What it is for"), "Web shop");
    await page.keyboard.press("Enter");
    const secret = (await page.getByText(/^whsec_/).textContent()) ?? "";
    expect(await page.getByText(`SECRET = "${secret}"`).count()).toBe(1);
    expect(await faultsForReaders(page)).toEqual([]);
    await pressOn(page, button("Send a test"));
    await page.getByText("The test arrived: your server answered 204.").waitFor();
    await pressOn(page, page.getByRole("link", { name: "To the webhook" }));
    await page.getByText("Last 1: 1 arrived, 0 failed, 0 waiting").waitFor();
    expect(await page.getByText(secret).count()).toBe(0);
    expect(receiver.received).toHaveLength(1);
  });

  test("shows what its receiver answered when it failed, and sends that again at once, and later", async () => {
    const secret = await openMade();
    await sale();
    await page.reload();
    await page.locator("summary").filter({ hasText: "Arrived" }).waitFor();
    receiver.received.length = 0;
    fault = "database is locked";
    await sale();
    await page.getByRole("button", { name: /^1 new/ }).click();
    const row = page.getByRole("listitem").filter({ hasText: "Request done" }).first();
    await row.getByText("Failed, trying again", { exact: true }).waitFor();
    await row.locator("summary").click();
    await row.getByText("Your server answered 503 in place of 200.").waitFor();
    await row.getByText("database is locked", { exact: true }).waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    // Nobody has to wait for the minute until the next attempt, which is the last one here.
    await button("Send again now").click();
    await row.getByText("Your server answered 503 in place of 200.").nth(1).waitFor();
    await row.getByText("Failed", { exact: true }).waitFor();
    expect(books()).toHaveLength(2);

    fault = undefined;
    await button("Send again").click();
    await page.getByText("Sent again, and it arrived: your server answered 204.").waitFor();
    const [first, second, third] = receiver.received;
    expect(new Set(books()).size).toBe(1);
    expect([second?.body, third?.body]).toEqual([first?.body, first?.body]);
    const at = Number(third?.headers["webhook-timestamp"]) * 1_000;
    const signed = { secret, id: books()[2] ?? "", at, body: third?.body ?? "" };
    expect(third?.headers).toMatchObject(signatureHeaders(signed));
  });

  test("is mended by the keys alone", async () => {
    await openMade();
    fault = "again";
    await sale();
    const { href } = new URL(page.url());
    await page.goto(`${href}?status=pending`);
    await page.locator("summary").filter({ hasText: "Failed, trying again" }).waitFor();
    await tabTo(/^Request done/);
    await page.keyboard.press("Enter");
    await tabTo(/^Send again now$/);
    await page.keyboard.press("Enter");
    await page.getByText("None of these").waitFor();
    await page.goto(`${href}?status=failed`);
    await page.locator("summary").filter({ hasText: "Failed" }).first().waitFor();
    expect(await page.locator("summary").filter({ hasText: "Arrived" }).count()).toBe(0);
    fault = undefined;
    const before = receiver.received.length;
    await tabTo(/^Request done/);
    await page.keyboard.press("Enter");
    await tabTo(/^Send again$/);
    await page.keyboard.press("Enter");
    await page.getByText("Sent again, and it arrived: your server answered 204.").waitFor();
    expect(receiver.received).toHaveLength(before + 1);
    expect(books().at(-1)).toBe(books().at(-2));
  });

  test("is removed after a question, and hears nothing more", async () => {
    await openMade();
    await tabTo(/^Remove the webhook$/);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Your server is told nothing any more.").waitFor();
    await pressOn(page, dialog.getByRole("button", { name: "Remove the webhook" }));
    await page.getByText("No webhook yet").waitFor();
    const before = receiver.received.length;
    await sale();
    expect(receiver.received).toHaveLength(before);
  });

  test("never broke its own rules on the way", () => {
    expect(complaints).toEqual([]);
  });
});
