/** Names by which a machine is announced in its network. */

/** Anybody in the network may claim one name after the other: a machine goes on to no more than so many. */
const LABELS = 10;

/** The label, and where others have that, `fiscald-2` and so on, to `fiscald-10`. */
export function labelsOf(label: string): readonly string[] {
  return Array.from({ length: LABELS }, (_, index) =>
    index === 0 ? label : `${label}-${index + 1}`,
  );
}
