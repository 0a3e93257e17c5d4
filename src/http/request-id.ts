/** Correlation of requests: the client's id, or one of ours. */

const REQUEST_ID_HEADER = "X-Request-Id";

/** The client's id unchanged when it sent one that is not empty, else a UUID v4. */
export function requestIdOf(request: Request): string {
  return request.headers.get(REQUEST_ID_HEADER) || crypto.randomUUID();
}

/**
 * Puts the id on an answer. Bytes beyond ASCII may have been decoded as UTF-8 on their way in;
 * a header takes only characters up to U+00FF, so they go back as the bytes they were.
 */
export function setRequestId(headers: Headers, id: string): void {
  try {
    headers.set(REQUEST_ID_HEADER, id);
  } catch {
    headers.set(REQUEST_ID_HEADER, Buffer.from(id, "utf8").toString("latin1"));
  }
}
