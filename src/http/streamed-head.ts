/**
 * What answers HEAD where GET answers with what is made while it is sent. Of answers to HEAD the router
 * reads the content to its end for its length, and such a one may have none, or be of years.
 */

const STREAMED = "Transfer-Encoding";
const LENGTH = "Content-Length";

/** The answer with the headers that GET has, and no content to read. */
export function streamedHead(headers: Readonly<Record<string, string>>): Response {
  return new Response(null, { headers: { ...headers, [STREAMED]: "chunked" } });
}

/** Takes from a streamed answer the length of nothing, which the router has found. */
export function takeNoLength({ headers }: Response): void {
  if (headers.has(STREAMED)) headers.delete(LENGTH);
}
