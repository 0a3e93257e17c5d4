/** Requests of the tests to programs beside them. */

/**
 * `fetch`, of which a failure says what was asked: a connection that ends says nothing of it itself.
 * A program that had no processor time as its time for an unused connection ran out ends that without a
 * look at what has come over it. `fetch` asks anew then, but only what changes nothing: the rest has a
 * connection of its own.
 * @throws Error with method and address, and the failure as its cause
 */
export async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const { method = "GET" } = init;
  const began = performance.now();
  try {
    return await fetch(url, { ...init, keepalive: method === "GET" });
  } catch (cause) {
    const ms = Math.round(performance.now() - began);
    const what = `${method} ${url} has no answer after ${ms} ms: ${String(cause)}`;
    throw new Error(what, { cause });
  }
}
