/** A text from its entry: singular or plural, and what stands in braces. */

/** A language's file. */
export type Entries = Readonly<Record<string, string>>;

/** What is put in place of `{name}`; `count` also chooses between singular and plural. */
export type Fill = Readonly<Record<string, string | number>>;

/** Entries with how their language counts and writes numbers. */
export interface Source {
  readonly entries: Entries;
  readonly locale: string;
}

/** `s-a`, `într-o`: one word, which no line takes apart. Names of headers and the like stay as they are. */
const HYPHEN_IN_WORD = /(?<=\p{L})-(?=\p{Ll})/gu;
const UNBROKEN_HYPHEN = "\u2011";
const ROMANIAN = "ro-RO";

/**
 * The entry of that name, or of that name with `#one`, `#few` or `#other` where there is a `count`.
 * What is missing shows as its name, which the tests do not let happen.
 */
export function phrase({ entries, locale }: Source, name: string, fill: Fill = {}): string {
  const entry = entries[nameOf({ entries, locale }, name, fill.count)] ?? name;
  const text = locale === ROMANIAN ? entry.replace(HYPHEN_IN_WORD, UNBROKEN_HYPHEN) : entry;
  return text.replace(/\{(\w+)\}/g, (whole, part: string) => {
    const value = fill[part];
    if (value === undefined) return whole;
    return typeof value === "number" ? new Intl.NumberFormat(locale).format(value) : value;
  });
}

function nameOf({ entries, locale }: Source, name: string, count: unknown): string {
  if (typeof count !== "number" || entries[name] !== undefined) return name;
  const form = `${name}#${new Intl.PluralRules(locale).select(count)}`;
  return entries[form] === undefined ? `${name}#other` : form;
}
