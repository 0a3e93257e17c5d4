/**
 * Waits for a promise to be rejected, and returns the error, to be looked at. In place of the test
 * runner's own `.rejects`, which runs the events of the process inside the call: no timer of the
 * runner's is looked at until the promise is settled, so that one which never is holds the whole
 * run, whatever the test's time limit.
 * @throws Error when the promise is fulfilled, or rejected with something that is no error
 */
export async function rejection(promise: PromiseLike<unknown>): Promise<Error> {
  const [outcome] = await Promise.allSettled([promise]);
  if (outcome.status === "fulfilled") {
    throw new Error(`Fulfilled where a rejection is expected: ${Bun.inspect(outcome.value)}`);
  }
  if (outcome.reason instanceof Error) return outcome.reason;
  throw new Error(`Rejected with what is no error: ${Bun.inspect(outcome.reason)}`);
}
