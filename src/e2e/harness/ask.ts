/** Requests of the tests to programs beside them. */

/**
 * `fetch`, of which a failure says what was asked: a connection that ends says nothing of it itself.
 * @throws Error with method and address, and the failure as its cause
 */
export async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const began = performance.now();
  try {
    return await fetch(url, init);
  } catch (cause) {
    const ms = Math.round(performance.now() - began);
    const what = `${init.method ?? "GET"} ${url} has no answer after ${ms} ms: ${String(cause)}`;
    throw new Error(what, { cause });
  }
}
