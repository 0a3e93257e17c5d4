/** What a finger has to hit on a page, and whether it is large enough. */

import type { Page } from "playwright-core";

/** The least width and height of a target, in CSS pixels; half a pixel is rounding. */
const LEAST = 44 - 0.5;
const TOUCHED =
  "a[href], button, input, select, textarea, summary, [role=button], [role=option], [role=tab]";
/** Once all is there that grows or fades in; what turns for ever is not waited for. */
const ENDED = `Promise.allSettled(
  document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished),
).then(() => undefined)`;

/**
 * The targets of a page as it stands that are too small for a finger, in a line each: what is open in
 * front, where a question is asked. A box or a circle to tick is as large as the label that ticks it,
 * a field as its frame, and each as what its `::after` adds. A link in the middle of a sentence is as
 * high as the line: it may be. So may the rows of a list that is `data-dense`, a trace to be read: each is
 * as wide as the page, and one that opens in place of its neighbour does no harm. What grows as it
 * comes is measured once it is there.
 */
export async function smallTargets(page: Page): Promise<string[]> {
  await page.evaluate(ENDED);
  const isAsked = (await page.locator("[role=dialog]").count()) > 0;
  const targets = page.locator(`${isAsked ? "[role=dialog]" : "body"} :is(${TOUCHED})`);
  return targets.evaluateAll((elements, least) => {
    type Part = (typeof elements)[number];
    return elements.filter(isSeen).flatMap((element) => {
      const [width, height] = sizeOf(element);
      if (width >= least && height >= least) return [];
      if (isInSentence(element) || element.closest("[data-dense]") !== null) return [];
      const name = element.getAttribute("aria-label") ?? element.textContent ?? "";
      const size = `${Math.round(width)} x ${Math.round(height)}`;
      const as = element.getAttribute("class") ?? "";
      return [`a target of ${size}: ${element.localName} ${name.trim().slice(0, 40)} (${as})`];
    });

    function isSeen(element: Part): boolean {
      const { width, height } = element.getBoundingClientRect();
      const isHit = styleOf(element)?.pointerEvents !== "none";
      // What is there for readers of screens alone, until it has the focus.
      const isUnseen = width <= 1 || height <= 1;
      return element.checkVisibility({ visibilityProperty: true }) && isHit && !isUnseen;
    }

    function sizeOf(element: Part): [number, number] {
      const parts: Part[] = [element];
      if (/^(input|select|textarea)$/.test(element.localName)) {
        const own = `label[for="${element.id}"]`;
        parts.push(...element.ownerDocument.querySelectorAll<Part>(own));
        const frame = element.closest<Part>("label, .mantine-Input-wrapper");
        if (frame !== null) parts.push(frame);
      }
      const boxes = parts.map((part) => part.getBoundingClientRect());
      const across = boxes.flatMap(({ left, right }) => [left, right]);
      const down = boxes.flatMap(({ top, bottom }) => [top, bottom]);
      const farther = parts.map((part) => reachOf(part));
      return [
        Math.max(Math.max(...across) - Math.min(...across), ...farther.map(([width]) => width)),
        Math.max(Math.max(...down) - Math.min(...down), ...farther.map(([, height]) => height)),
      ];
    }

    /** What is laid over it so that it is met from farther. */
    function reachOf(element: Part): [number, number] {
      const laid = styleOf(element, "::after");
      const isLaid = laid?.content !== "none" && laid?.position === "absolute";
      return isLaid ? [Number.parseFloat(laid.width), Number.parseFloat(laid.height)] : [0, 0];
    }

    function isInSentence(element: Part): boolean {
      const around = (element.parentElement?.textContent ?? "").trim();
      const own = (element.textContent ?? "").trim();
      return styleOf(element)?.display === "inline" && around.length > own.length;
    }

    function styleOf(element: Part, part?: string) {
      return element.ownerDocument.defaultView?.getComputedStyle(element, part);
    }
  }, LEAST);
}
