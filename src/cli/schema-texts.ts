/** What to say of a schema that is not as fiscald makes it, but lacks no data. */

import type { Differences } from "#db/own-schema.ts";

export interface SchemaText {
  readonly text: string;
  /** What becomes of it. */
  readonly outcome: string;
  /** True where the next start mends it by itself. */
  readonly isMended: boolean;
}

/** A text for each kind of difference that there is. */
export function schemaTexts({ foreign, gone, altered }: Differences): readonly SchemaText[] {
  const named = (names: readonly string[], text: Omit<SchemaText, "text">, words: string) =>
    names.length === 0 ? [] : [{ ...text, text: `${words}: ${names.join(", ")}` }];
  return [
    ...named(
      foreign,
      { outcome: "the next start removes it", isMended: true },
      "what fiscald has not made",
    ),
    ...named(
      gone,
      { outcome: "the next start makes it anew", isMended: true },
      "what fiscald makes is gone",
    ),
    ...named(
      altered,
      { outcome: "fiscald repair makes it anew", isMended: false },
      "what fiscald makes otherwise",
    ),
  ];
}
