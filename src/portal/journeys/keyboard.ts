/** Going about without a mouse. */

import type { Locator, Page } from "playwright-core";

/** More than any page has to be come to. */
const STEPS_MAX = 120;

/** Goes on by Tab until the wanted one has the focus. @throws Error when it never does */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let step = 0; step < STEPS_MAX; step += 1) {
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${wanted}`);
}

/** Fills a field that Tab leads to. */
export async function typeInto(page: Page, wanted: Locator, text: string): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.insertText(text);
}

/** Presses a button or follows a link that Tab leads to. */
export async function pressOn(page: Page, wanted: Locator): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press("Enter");
}
