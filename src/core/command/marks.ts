/**
 * How far a command got, in the order it gets there. Each mark is on disk before the driver goes
 * on, so that after any crash the stored mark says which questions to ask the device.
 *
 * - `baseline`: the device was read; nothing has been changed. Carries what was read.
 * - `opened`: the document is open on the device.
 * - `committing`: the next frame may make the effect final.
 * - `committed`: the device confirmed it.
 *
 * Commands without a document skip `opened`; those that only read report no mark at all. A command
 * without a stored mark has changed nothing.
 */
export const MARKS = ["baseline", "opened", "committing", "committed"] as const;
export type Mark = (typeof MARKS)[number];

/**
 * The marks that must be on disk before the driver goes on, because each says what can have
 * happened on the device after a crash: nothing before `baseline`, at most an empty document before
 * `opened`, at most one that can be cancelled before `committing`. `committed` only confirms what the
 * device then shows by itself, so it shares the commit of the result.
 */
export const IS_AWAITED: Readonly<Record<Mark, boolean>> = {
  baseline: true,
  opened: true,
  committing: true,
  committed: false,
};

/** What a driver read before it began: JSON of its own, kept unread by the queue. */
export type Baseline = Readonly<Record<string, unknown>>;

/** True when `next` comes after `current` in the order of marks. */
export function advances(current: Mark | undefined, next: Mark): boolean {
  return current === undefined || MARKS.indexOf(next) > MARKS.indexOf(current);
}
