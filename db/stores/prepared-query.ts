/**
 * Queries that are prepared once and run often. A store has dozens of them, and few are run in the
 * first second or in a test: to put all of them together at the start, and to make their text, took
 * longer than anything else there.
 */

/** What of a prepared query is used. */
interface Prepared {
  get(values?: Record<string, unknown>): unknown;
  all(values?: Record<string, unknown>): unknown;
  run(values?: Record<string, unknown>): unknown;
}

/**
 * Prepares a query when it is run for the first time. What is wrong with it, as an index that is not
 * there, is thrown then.
 * @param query puts it together
 */
export function prepareLater<P extends Prepared>(
  query: () => { prepare(): P },
): Pick<P, "get" | "all" | "run"> {
  let prepared: P | undefined;
  const made = (): P => {
    prepared ??= query().prepare();
    return prepared;
  };
  const later: Prepared = {
    get: (values) => made().get(values),
    all: (values) => made().all(values),
    run: (values) => made().run(values),
  };
  return later as Pick<P, "get" | "all" | "run">;
}
