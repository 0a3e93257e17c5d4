/** What is known of a thing on one line with dots between. Where the line ends, a dot ends it and begins none. */
export function dotted(facts: readonly (string | null | undefined)[]): string {
  return facts.filter(Boolean).join("\u00a0· ");
}
