/** What most journeys begin with: a shop with one printer, and its owner in a browser. */

import type { Browser, BrowserContextOptions } from "playwright-core";
import type { Shop } from "../../e2e/harness/gateway.ts";
import type { SimulatedPrinter } from "../../e2e/harness/simulator.ts";
import { openPage, signIn, startBrowser } from "./browser.ts";
import { type Box, openBox, setUp } from "./shop.ts";

type OpenPage = Awaited<ReturnType<typeof openPage>>;

/** The box, its shop, the printer *Counter*, and a page that its owner has signed in on. */
export interface OpenShop extends OpenPage {
  readonly box: Box;
  readonly browser: Browser;
  readonly shop: Shop;
  /** The id of the printer. */
  readonly device: string;
  readonly printer: SimulatedPrinter;
  /** One more page, of somebody who has signed in: of the owner unless given. */
  openAs(login?: Login, options?: BrowserContextOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

type Login = Pick<Shop, "email" | "password">;

interface OpenShopOptions {
  /** Of the gateway. */
  readonly args?: readonly string[];
  /** Of the owner's page. */
  readonly page?: BrowserContextOptions;
}

/** @param path of the browser */
export async function openShop(path: string, options: OpenShopOptions = {}): Promise<OpenShop> {
  const [box, browser] = await Promise.all([openBox(options.args), startBrowser(path)]);
  const { shop, printers } = await setUp(box, ["Counter"]);
  const [counter] = printers;
  if (counter === undefined) throw new Error("there is no printer");
  const openAs: OpenShop["openAs"] = async (login = shop, wishes = {}) => {
    const opened = await openPage(browser, wishes);
    await signIn(opened.context, box.gateway.url, login);
    return opened;
  };
  const owners = await openAs(shop, options.page);
  return {
    ...{ box, browser, shop, ...counter, ...owners, openAs },
    async close() {
      await browser.close();
      await box.close();
    },
  };
}
