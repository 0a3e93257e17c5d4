/** Names that people give: of shops, places, printers, keys and themselves. */

import { Type } from "@sinclair/typebox";
import { patternOf } from "./patterns.ts";

/** What leaves no trace on a screen: blanks, what has no width, what only fills lines. */
export const UNSEEN =
  "\\s\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f" +
  "\\u2060-\\u2065\\u206a-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0";

/** What turns the direction of the writing, also of what stands beside the name. */
export const TURNING = "\\u202a-\\u202e\\u2066-\\u2069";

/**
 * A name of at least one character that can be seen: one of blanks or of signs without width is an
 * empty row in every list. One with marks that turn the direction of writing is refused: it would be
 * read as another, and change what is read beside it.
 * @param maxLength characters
 */
export function visibleName(maxLength: number) {
  return Type.String({
    ...{ minLength: 1, maxLength },
    pattern: patternOf(
      // Each part ends where the next begins, so that no text takes long.
      `^[${UNSEEN}]*[^${UNSEEN}${TURNING}][^${TURNING}]*$`,
      "a name that can be seen, and none that turns the direction of writing",
    ),
  });
}
