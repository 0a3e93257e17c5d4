/**
 * Long work in pieces, as a search through years of receipts: of all that is under way at once, one
 * piece in each turn of the event loop, one after another. So what waits for its turn meanwhile waits
 * for one piece, however many search.
 */

const waiting: (() => void)[] = [];

/** To be awaited before a piece, which is to take some 20 ms at the most. */
export function nextWorkTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(letOneGoOn);
  });
}

function letOneGoOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(letOneGoOn);
}
