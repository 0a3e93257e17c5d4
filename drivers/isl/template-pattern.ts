/**
 * Templates read backwards: which template some data was filled by, and where its secrets stand.
 *
 * A value counts only when it looks like what its name says, so that data which somebody made by
 * hand is not taken for what it is not: a password in the place of a sale number, say.
 */

import type { Masked } from "#core/device/trace.ts";
import { type CodePage, encodeText } from "../shared/codepage.ts";
import { parseTemplate, type TemplatePart, templateNames } from "./template.ts";

/** Values that nobody may see. */
const SECRET_NAMES: readonly string[] = ["password", "newPassword"];

/** What other values look like, where the place they stand in does not tell enough. */
const VALUE_PATTERNS: Readonly<Record<string, string>> = {
  operator: "\\d{1,2}",
  till: "\\d{0,5}",
  usn: "(?:[A-Z]{2}\\d{6}-[0-9A-Za-z]{4}-\\d{7})?",
};

const NO_SECRETS: readonly Masked[] = [];

/** More than a template has values. */
const LITERAL_WEIGHT = 100;

/** A template to compare data with. */
export class TemplatePattern {
  /** How much a match says: the more is fixed in the template and the less is free, the greater. */
  readonly weight: number;
  readonly #pattern: RegExp;
  readonly #hasSecrets: boolean;

  /** @throws RangeError when the template is malformed */
  constructor(template: string, codePage: CodePage) {
    const parts = parseTemplate(template);
    this.weight = LITERAL_WEIGHT * literalsOf(parts).length - templateNames(template).length;
    this.#hasSecrets = templateNames(template).some((name) => SECRET_NAMES.includes(name));
    // Finding out where each value stands costs several times as much as comparing.
    const flags = this.#hasSecrets ? "ds" : "s";
    this.#pattern = new RegExp(`^${patternOf(parts, codePage)}$`, flags);
  }

  /**
   * Compares data with the template.
   * @param data one character a byte
   * @returns where the secrets stand in it; undefined when it was not filled by this template
   */
  secretsIn(data: string): readonly Masked[] | undefined {
    if (!this.#hasSecrets) return this.#pattern.test(data) ? NO_SECRETS : undefined;
    const match = this.#pattern.exec(data);
    if (!match) return undefined;
    return (match.indices ?? []).slice(1).flatMap((place) => {
      return place ? [{ from: place[0], to: place[1] }] : [];
    });
  }
}

function patternOf(parts: readonly TemplatePart[], codePage: CodePage): string {
  return parts
    .map((part, index) => {
      if (part.kind === "literal") return escaped(part.text, codePage);
      if (part.kind === "group") return `(?:${patternOf(part.parts, codePage)})?`;
      return valuePattern(part.name, parts[index + 1]);
    })
    .join("");
}

function valuePattern(name: string, next: TemplatePart | undefined): string {
  const known = VALUE_PATTERNS[name];
  if (known !== undefined) return known;
  // It ends where the next literal begins; without one there it may hold anything.
  const end = next?.kind === "literal" ? next.text.charAt(0) : undefined;
  const pattern = end === undefined ? ".*?" : `[^${escaped(end, "ascii")}]*`;
  return SECRET_NAMES.includes(name) ? `(${pattern})` : pattern;
}

function literalsOf(parts: readonly TemplatePart[]): string {
  return parts.map((part) => (part.kind === "literal" ? part.text : "")).join("");
}

function escaped(text: string, codePage: CodePage): string {
  const bytes = Buffer.from(encodeText(text, codePage)).toString("latin1");
  return bytes.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
