/** A span of a device's books, as statements take it. */

import type { BookedSpan } from "#core/booking.ts";

/** A part of a span that is read in one go. */
export interface BookedSlice extends BookedSpan {
  readonly limit: number;
}

/** The parameters of a slice. @param kind of the ids of the rows, as `rct` */
export function sliceParameters(
  kind: "rct" | "rpt",
  place: { readonly orgId: string; readonly deviceId: string },
  { after, upTo, limit }: BookedSlice,
) {
  return {
    ...{ ...place, limit },
    ...{ afterAt: after.at, afterId: `${kind}_${after.key}` },
    ...{ upToAt: upTo.at, upToId: `${kind}_${upTo.key}` },
  };
}
