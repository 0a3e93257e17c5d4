/** Requests of a page that a test answers in the gateway's place, from the first one on. */

import type { BrowserContext, Page, Request, Route } from "playwright-core";
import { until } from "../../e2e/harness/until.ts";

/** Nothing is there. */
const PROBE = "/intercepted";

/**
 * Lets `route`, of the page and of its context, return once the page's requests really come by.
 * Chromium has said so before the page sends them another way: what was pressed at once reached the
 * gateway, on a busy machine, and the test waited for it in vain.
 */
export function interceptAtOnce(context: BrowserContext, page: Page): void {
  const own = page.route.bind(page);
  const isIntercepted = async (): Promise<void> => {
    // A page that is loaded later is given the way with it.
    if (!page.url().startsWith("http")) return;
    await own(`**${PROBE}`, (route) => route.fulfill({ status: 204 }));
    const ask = `fetch("${PROBE}").then(({ status }) => status === 204, () => false)`;
    await until("the way of its requests", async () => (await page.evaluate(ask)) === true);
    await page.unroute(`**${PROBE}`);
  };
  for (const place of [page, context]) {
    const route = place.route.bind(place);
    place.route = async (url, handler, options) => {
      const answered = (one: Route, request: Request) => handler(asTheGateway(one), request);
      const routed = await route(url, answered, options);
      await isIntercepted();
      return routed;
    };
  }
}

/** What a test answers has the header by which the gateway's answers are known, unless it has its own. */
function asTheGateway(route: Route): Route {
  const fulfill = route.fulfill.bind(route);
  route.fulfill = (answer = {}) => {
    const isWhole = answer.response !== undefined || answer.headers !== undefined;
    return fulfill(isWhole ? answer : { ...answer, headers: { "X-Request-Id": "forged" } });
  };
  return route;
}
