/** That the portal stays calm while it is used: nothing moves for long, nothing spins at once. */

import type { BrowserContext } from "playwright-core";

/** Milliseconds that a motion may take. */
const LONGEST_MS = 150;

/** Milliseconds within which nothing spins. */
const QUIET_MS = 300;

/** Runs in the page, as a text: scripts that take pictures read this file without a document's types. */
const COMPLAIN_OF_MOTION = `
// Told by what hides it, not by whether it is hidden now: a busy page hears of its start late.
const isHiddenFirst = (element) =>
  element !== null &&
  (element.getAnimations().some(
    ({ effect }) =>
      effect.getTiming().delay >= ${QUIET_MS} &&
      effect.getKeyframes().some(({ visibility }) => visibility === "hidden"),
  ) ||
    isHiddenFirst(element.parentElement));
const look = ({ target }) => {
  if (!(target instanceof Element)) return;
  for (const { effect } of target.getAnimations({ subtree: true })) {
    if (effect.target !== target) continue;
    const { duration, iterations } = effect.getTiming();
    const fault =
      iterations === Infinity ? !isHiddenFirst(target) && "spins at once" : duration > ${LONGEST_MS} && "is slow";
    if (fault) reportError(new Error(fault + ": " + target.outerHTML.slice(0, 160)));
  }
};
document.addEventListener("animationstart", look);
document.addEventListener("transitionrun", look);
`;

/** The page itself complains, of which every journey is told. */
export async function watchCalm(context: BrowserContext): Promise<void> {
  await context.addInitScript(COMPLAIN_OF_MOTION);
}
