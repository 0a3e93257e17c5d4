import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { browsers, openPage, startBrowser } from "./browser.ts";

/** What spins, seen from its start or once 300 ms are over. */
const page = (start: string) => `<style>
  @keyframes turn { to { rotate: 360deg } }
  @keyframes late { from { visibility: hidden } }
  i { position: absolute; width: 20px; height: 20px; background: teal; animation: turn 1s infinite }
  b { ${start} }
</style><main></main>`;

describe.each(browsers())("what a page complains of", (executablePath) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser(executablePath);
  });
  afterAll(() => browser?.close());

  /** Shows it while the page is busy for some time, as on a slow machine. */
  const complaintsOf = async (start: string, busyMs: number) => {
    const { page: shown, context, complaints } = await openPage(browser);
    await shown.goto(`data:text/html,${encodeURIComponent(page(start))}`);
    await shown.evaluate(`new Promise((resolve) => {
      document.addEventListener("animationstart", ({ animationName }) => {
        if (animationName === "turn") setTimeout(resolve);
      });
      document.querySelector("main").innerHTML = "<b><i></i></b>";
      requestAnimationFrame(() => {
        const end = performance.now() + ${busyMs};
        while (performance.now() < end);
      });
    })`);
    await context.close();
    return complaints;
  };

  test("is a spinner that is seen at once", async () => {
    expect(await complaintsOf("", 0)).toEqual([expect.stringMatching(/^spins at once: /)]);
  });

  test("is no spinner that waits, however busy the page is", async () => {
    for (const busyMs of [0, 400]) {
      expect(await complaintsOf("animation: late 0s 300ms both", busyMs)).toEqual([]);
    }
  });
});
