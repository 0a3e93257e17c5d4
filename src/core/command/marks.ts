/**
 * How far a command got, in the order it gets there. The stored mark says after any crash which
 * questions to ask the device.
 *
 * - `baseline`: the device was read; nothing has been changed. Carries what was read.
 * - `opened`: the document is open on the device.
 * - `committing`: the next frame may make the effect final. Stored again where more is known before
 *   anything else is asked: that the device holds a payment of ours, or has confirmed a Z report.
 * - `committed`: the device confirmed it.
 *
 * Commands without a document skip `opened`; those that only read report no mark at all. A command
 * without a stored mark has changed nothing.
 */
export const MARKS = ["baseline", "opened", "committing", "committed"] as const;
export type Mark = (typeof MARKS)[number];

/**
 * The marks that must be on disk before the driver goes on: before `baseline` nothing has been
 * changed, and before `committing` nothing has been paid, so that nothing can have been printed.
 * The others are stored with the next thing that is. A crash that loses `opened` leaves a document
 * without a payment, which is cancelled like one that was found open; one that loses `committed`
 * leaves a document that the device itself shows as finished.
 */
export const IS_AWAITED: Readonly<Record<Mark, boolean>> = {
  baseline: true,
  opened: false,
  committing: true,
  committed: false,
};

/** What a driver read before it began: JSON of its own, kept unread by the queue. */
export type Baseline = Readonly<Record<string, unknown>>;

/** True when `next` comes after `current` in the order of marks. */
export function advances(current: Mark | undefined, next: Mark): boolean {
  return current === undefined || MARKS.indexOf(next) > MARKS.indexOf(current);
}
