/** What was sold in each hour of a day, beside the same hour a week before. */

import type { Step } from "../../parts/bars.tsx";
import type { Format } from "../../words/format.ts";
import type { Today } from "./today.ts";

type Sales = Pick<NonNullable<Today["sales"]>, "hours" | "weekBefore">;
type Buckets = Sales["hours"];

/** Hours that are shown though nothing was sold in them. */
const OPEN_HOURS = { first: 8, last: 19 };

/** Those of the night only where something was sold in them. @param currency of the amounts */
export function hoursOf(
  { hours, weekBefore }: Sales,
  currency: string | undefined,
  format: Pick<Format, "time">,
): Step[] {
  const soldAt = (buckets: Buckets) => {
    const sold = new Map<string, number>();
    for (const { from = "", net, currency: own } of buckets) {
      if (own !== currency) continue;
      const label = format.time(from);
      // In the night in which clocks are set back one hour comes twice.
      sold.set(label, (Math.round((sold.get(label) ?? 0) * 100) + Math.round(net * 100)) / 100);
    }
    return sold;
  };
  const [now, before] = [soldAt(hours), soldAt(weekBefore.hours)];
  const steps = [...new Set([...now.keys(), ...before.keys()])]
    .sort()
    .map((label): Step => ({ label, now: now.get(label) ?? 0, before: before.get(label) ?? 0 }));
  return withoutNight(steps);
}

function withoutNight(steps: readonly Step[]): Step[] {
  const isShown = ({ label, now, before }: Step) => {
    const hour = Number.parseInt(label, 10);
    return now !== 0 || before !== 0 || (hour >= OPEN_HOURS.first && hour <= OPEN_HOURS.last);
  };
  return steps.slice(steps.findIndex(isShown), steps.findLastIndex(isShown) + 1);
}
