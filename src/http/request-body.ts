/** Reading a JSON body within its limit. */

import { ApiError } from "#core/errors.ts";
import { BODY_BYTES_MAX } from "#core/limits.ts";

/** `application/json`, with nothing but UTF-8 as its character set. */
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The body's text; empty when there is none.
 * @throws ApiError BAD_REQUEST when it is too large, not UTF-8 or not declared as JSON
 */
export async function readBody(request: Request): Promise<string> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > BODY_BYTES_MAX) throw tooLarge();
  if (request.body === null) return "";
  const bytes = declared === null ? await readBounded(request.body) : await request.bytes();
  if (bytes.length === 0) return "";
  if (!JSON_TYPE.test(request.headers.get("content-type") ?? "")) {
    throw new ApiError("BAD_REQUEST", "Send the body as Content-Type: application/json in UTF-8");
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ApiError("BAD_REQUEST", "The body is not valid UTF-8");
  }
}

/**
 * The value of a body's text. No body at all is an empty object, so that a route whose fields are
 * all optional takes it and every other one names what is missing.
 * @throws ApiError BAD_REQUEST when the text is not JSON
 */
export function parseBody(text: string): unknown {
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError("BAD_REQUEST", "The body is not valid JSON");
  }
}

/** A body of undeclared length is read only as far as it may go. */
async function readBounded(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) throw tooLarge();
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length);
}

function tooLarge(): ApiError {
  return new ApiError("BAD_REQUEST", `The body is larger than ${BODY_BYTES_MAX} bytes`);
}
