/**
 * Whether it was the box that answered. A proxy in front of it says in its place that it is away, in words
 * of its own: that is no sign of life, and tells no more than silence does.
 */

/** Every answer of the gateway has it, whatever it says. */
const HEADER = "X-Request-Id";

/** True for what the box itself has said. */
export function isOfBox({ headers }: Pick<Response, "headers">): boolean {
  return headers.has(HEADER);
}

/** As `fetch`. @throws TypeError as where nobody answers, also where something else says so of the box */
export async function fetchBox(request: Request, init: RequestInit): Promise<Response> {
  const response = await fetch(request, init);
  if (response.status < 500 || isOfBox(response)) return response;
  throw new TypeError(`Something in front of the box answers with status ${response.status}`);
}
