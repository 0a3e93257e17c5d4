/** Days on which two hosts sell at one device, on every model that answers. */

import { EVERY_MODEL, isMute } from "#drivers/testing/every-model.ts";
import { tradeTogether } from "#drivers/testing/two-hosts.ts";

/** Of each of the two, a day. */
const SALES = 100;

/**
 * Prints what their sales came to, and each of which something else was told than the books hold.
 * @param only models with this in their name, as `vendorA.isl x`
 * @returns true when all that was told is true
 */
export async function tradeInPairs(only: string, days: number): Promise<boolean> {
  let wrong = 0;
  for (const kind of EVERY_MODEL.filter((one) => !isMute(one))) {
    const name = `${kind.driver} ${kind.model}`;
    if (!name.includes(only)) continue;
    const counts = { printed: 0, not_printed: 0, unknown: 0 };
    for (let seed = 1; seed <= days; seed += 1) {
      for (const { name: sale, told, lies } of await tradeTogether(kind, { seed, sales: SALES })) {
        counts[told.outcome] += 1;
        if (lies.length === 0) continue;
        wrong += 1;
        console.log(`${name}, day ${seed}, sale ${sale}: ${lies.join(", ")}`, told);
      }
    }
    const { printed, not_printed: notPrinted, unknown } = counts;
    console.log(`${name}: ${printed} printed, ${notPrinted} not printed, ${unknown} unknown`);
  }
  console.log(`${wrong} wrong`);
  return wrong === 0;
}
