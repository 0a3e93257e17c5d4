/** What a rule of the contract is, here: one statement that a test can show. */

/** Parts of the contract that this version lacks. Rules that wait for one have no test yet. */
export const ABSENT = {
  portal: "The portal",
} as const;

export type AbsentPart = keyof typeof ABSENT;

interface Statement {
  /** Stable: a rule that goes takes its number along. Begins with the section's code. */
  readonly id: string;
  /** In our words, without a full stop. Routes stand as `POST /devices/{deviceId}/release`. */
  readonly rule: string;
}

/** A rule that is kept, with the tests that show it. */
export interface ShownRule extends Statement {
  /** Each as `path > title > title`, titles as they are written in the file. */
  readonly by: readonly string[];
}

/** A rule of a part that is not there yet. */
export interface WaitingRule extends Statement {
  readonly awaits: AbsentPart;
}

export type Rule = ShownRule | WaitingRule;

/** The two texts that the rules come from: the interface itself, and what settles its gaps. */
export const SPECIFICATIONS = ["interface", "decisions"] as const;
export type Specification = (typeof SPECIFICATIONS)[number];

/** The rules of one section of a specification. */
export interface Section {
  readonly of: Specification;
  /** The section's title in the specification. */
  readonly title: string;
  /** What the ids of its rules begin with, as `HTTP`. */
  readonly code: string;
  readonly rules: readonly Rule[];
}

/** False for a rule whose part is not there yet. */
export function isShown(rule: Rule): rule is ShownRule {
  return "by" in rule;
}
