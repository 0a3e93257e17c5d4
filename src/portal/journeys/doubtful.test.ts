/** A receipt of which nobody knows whether it was printed, until a cashier says so. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { ApiClient } from "../../e2e/harness/gateway.ts";
import { World } from "../../e2e/harness/world.ts";
import { endOf, MODELS, makeUnknown, submitSale, untilAlert } from "../../e2e/outages/scene.ts";
import { browsers, faultsForReaders, openPage, startBrowser } from "./browser.ts";

const CASHIER = { email: "cashier@shop.example", password: "a long enough password", name: "Ion" };

describe.each(browsers())("a doubtful receipt", (path) => {
  let world: World;
  let browser: Browser;

  beforeAll(async () => {
    [world, browser] = await Promise.all([World.open(), startBrowser(path)]);
    const owner = new ApiClient(world.gateway.url, world.ownerToken);
    await owner.expect("POST", "/org/members", { ...CASHIER, role: "operator" });
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  test("stands above everything until a cashier has answered; then receipts go on", async () => {
    const [model] = MODELS;
    await makeUnknown(world, model);
    await untilAlert(world, "outcome_unknown");
    const next = await submitSale(world);
    const { page, complaints } = await openPage(browser);
    await page.goto(world.gateway.url);
    await page.getByLabel("Email").fill(CASHIER.email);
    await page.getByLabel("Password", { exact: true }).fill(CASHIER.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Doubtful receipt").waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await page.getByRole("link", { name: "Answer" }).click();
    await page.getByRole("heading", { name: "Did this come out of the printer?" }).waitFor();
    await page.getByText("TOTAL").waitFor();
    await page.getByRole("button", { name: "I can't tell" }).click();
    await page.getByText("Ask the customer").waitFor();
    expect(await faultsForReaders(page)).toEqual([]);
    await page.getByRole("button", { name: "No, it is not" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The sale does not count").waitFor();
    await dialog.getByRole("button", { name: "No, it is not" }).click();
    await page.getByText(/^Answered at .* it is not printed/).waitFor();
    await page.getByText("Ion").waitFor();
    expect(endOf(await world.till.wait(next.id)).status).toBe("completed");
    await page.getByRole("link", { name: "Back to Today" }).click();
    await page.getByText("Ready").waitFor();
    expect(complaints).toEqual([]);
  });
});
