/** A person's word on what became of a command. */

/** What is said, and by whom. */
export interface Saying {
  readonly outcome: "printed" | "not_printed";
  readonly fiscalId: string | undefined;
  /** The actor of the audit log. */
  readonly by: string;
  /** The network address it was said from; null at the box. */
  readonly address: string | null;
  /** UTC milliseconds. */
  readonly now: number;
}
