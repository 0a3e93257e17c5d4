/** Currencies and time zones, as the tables of the runtime have them. */

import type { ValidationIssue } from "./errors.ts";
import { patternOf } from "./patterns.ts";

/** What a currency looks like; whether it is one, `isCurrency` knows. */
export const CURRENCY_PATTERN = patternOf("^[A-Z]{3}$", "a currency code of ISO 4217, such as EUR");

/** Codes of the list that stand for no money: none, and tests. */
const NO_CURRENCY: ReadonlySet<string> = new Set(["XXX", "XTS"]);

let currencies: ReadonlySet<string> | undefined;

/** True for a code of ISO 4217, in capitals. */
export function isCurrency(code: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf("currency"));
  return currencies.has(code) && !NO_CURRENCY.has(code);
}

/**
 * What the name of a zone is made of. The runtime takes offsets too, which know no daylight time; and
 * asking it costs a thousand times as much, as for each column of the database at a start.
 */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** The zone that was found last: the places of a shop are in one, mostly. */
let lastZone: string | undefined;

/** The IANA zone of that name, as it is spelled; undefined when there is none. */
export function timezoneName(given: string): string | undefined {
  if (given === lastZone) return given;
  if (!ZONE_NAME.test(given)) return undefined;
  try {
    const zone = new Intl.DateTimeFormat("en", { timeZone: given }).resolvedOptions().timeZone;
    lastZone = zone;
    return zone;
  } catch {
    return undefined;
  }
}

/** What is wrong with a currency and a time zone that were given. */
export function placeIssues(given: {
  readonly currency?: string | undefined;
  readonly timezone?: string | null | undefined;
}): ValidationIssue[] {
  const { currency, timezone } = given;
  const issues: ValidationIssue[] = [];
  if (currency !== undefined && !isCurrency(currency)) {
    issues.push({ path: "currency", message: "Expected a currency code of ISO 4217, as in RON" });
  }
  if (typeof timezone === "string" && timezoneName(timezone) === undefined) {
    const message = "Expected an IANA time zone name, as in Europe/Bucharest";
    issues.push({ path: "timezone", message });
  }
  return issues;
}
