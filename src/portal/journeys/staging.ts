/** What scenes are put together from. */

import type { Page, Route } from "playwright-core";
import type { Shop } from "../../e2e/harness/gateway.ts";
import { order } from "./shop.ts";

/** What a scene plays in. */
export interface Stage {
  readonly page: Page;
  /** Of the gateway. */
  readonly url: string;
  readonly shop: Shop;
  /** Ids of the printers by what is the matter with them. */
  readonly printers: Readonly<Record<"ready" | "noPaper" | "gone" | "simulated", string>>;
  /** What is forged of a Bulgarian shop, and typed there, in this shop's own words and money. */
  readonly local: <T>(forged: T) => T;
}

/** A page in a state, to be looked at. */
export interface Scene {
  readonly name: string;
  /** A box that nobody has set up yet; the shop unless given. */
  readonly on?: "new box";
  /** The Bulgarian shop in every language: printers in Romania print nothing of the kind. */
  readonly isBulgarian?: true;
  /** Nobody is signed in. */
  readonly isSignedOut?: true;
  /** Brings the page there, and waits until it stands. */
  readonly play: (stage: Stage) => Promise<void>;
}

/** Goes to an address, and waits until what stands for the page is there. */
export const open =
  (path: string, sign: string) =>
  async ({ page, url }: Stage): Promise<void> => {
    await page.goto(`${url}${path}`);
    await page.locator(sign).first().waitFor();
  };

/** Answers a route of the API in the gateway's place, until the picture is taken. */
export const instead =
  (path: string, answer: Answer, then: Scene["play"]): Scene["play"] =>
  async (stage) => {
    await stage.page.route(`**/api/v1${path}`, (route) => answer(route, stage));
    await then(stage);
  };

/** What is answered in the gateway's place. */
export type Answer = (route: Route, stage: Stage) => Promise<void>;

/** A refusal of the gateway. */
export const refusal = (status: number, code: string) => (route: Route) =>
  route.fulfill({ status, json: { error: { code, message: "Refused" } } });
/** An answer of the gateway. */
export const json =
  (body: unknown): Answer =>
  (route, { local }) =>
    route.fulfill({ json: local(body) });

/** An answer of the gateway with something of it changed. */
export const changed =
  (change: (answer: Readonly<Record<string, unknown>>) => object): Answer =>
  async (route, stage) =>
    json(change(await (await route.fetch()).json()))(route, stage);

/** Until the page is closed. */
export async function hold(): Promise<void> {
  await Promise.resolve();
}

/** An answer of the gateway to what is sent to it; what is only read is as it is. */
export const posted =
  (body: unknown): Answer =>
  (route, stage) =>
    route.request().method() === "POST" ? json(body)(route, stage) : route.fallback();

/** Leaves all questions at a route of the API without an answer: an event has a page ask anew. */
export const holding =
  (path: string, then: Scene["play"]): Scene["play"] =>
  async (stage) => {
    await stage.page.route(`**/api/v1${path}`, () => Promise.resolve());
    await then(stage);
  };

/**
 * Takes the network away from a page that stands, and waits until it says so. The browser leaves an open
 * stream alone, so it is cut here: an event that still came would be a sign of life.
 */
export const offline =
  (there: Scene["play"]): Scene["play"] =>
  async (stage) => {
    const { page } = stage;
    let cut = async (): Promise<void> => {};
    await page.routeWebSocket(/\/api\/v1\/events\?/, (stream) => {
      const gateway = stream.connectToServer();
      cut = async () => {
        gateway.onMessage(() => {});
        await page.context().setOffline(true);
        // The page believes in a hiccup for fifteen seconds, and nobody who waits for pictures should.
        await page.evaluate(() => {
          const now = Date.now.bind(Date);
          Date.now = () => now() + 20_000;
        });
        await stream.close();
      };
    });
    await there(stage);
    await page.locator('[data-reach="live"]').waitFor();
    await cut();
    await page.locator('[data-reach="silent"]').waitFor();
    await page.locator('[data-old="true"]').first().waitFor();
  };

/** Has a receipt wait at the printer that is gone: those from before have ended after some minutes. */
export const waiting =
  (then: Scene["play"]): Scene["play"] =>
  async (stage) => {
    const { shop, printers, local } = stage;
    const lately = new Date(Date.now() - 60_000).toISOString();
    const pending = await shop.till.list(`&deviceId=${printers.gone}&status=pending`);
    const lasting = pending.filter(({ createdAt }) => createdAt > lately);
    // One of them may be on its way to the printer, and waits no more.
    for (let count = lasting.length; count < 2; count += 1) {
      await order(shop.till, printers.gone, [{ name: local("Прясно мляко"), price: 2.35 }]);
    }
    await then(stage);
  };
/** What went wrong, said by the page. */
export const ALERT = '[role="alert"]';
/** A page that waits for what it reads; while its script comes, lines stand there without a title. */
export const SKELETON = "main:has(h1) .mantine-Skeleton-root";
