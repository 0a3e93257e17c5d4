/** What to do where a search for printers found none. */

import type { DetectionTarget } from "#core/device/detection.ts";

/** Of the printer itself, in one sentence or two. */
export function searchAdvice({ transport }: DetectionTarget): string {
  const others = "and end other programs that talk to it.";
  switch (transport) {
    case "serial":
      return `Switch the printer on, check its cable, ${others} Then search again.`;
    case "bluetooth":
      return `Switch the printer on, pair it with this machine, ${others} Then search again.`;
    case "tcp":
      return (
        `Switch the printer on, check its network cable, ${others} ` +
        "Its menu shows its address and port."
      );
    default:
      return transport satisfies never;
  }
}
