/** Files that are made while they are sent: nothing waits for a slow reader, who is waited for. */

import { nextWorkTurn } from "../platform/work-turns.ts";
import { streamedHead } from "./streamed-head.ts";

/** Characters gathered before they are sent. */
const CHUNK_CHARACTERS = 65_536;

export interface AttachmentOptions {
  readonly contentType: string;
  readonly fileName: string;
  /** What is in it, in order; read no faster than it is sent, and ended when nobody reads on. */
  readonly parts: AsyncGenerator<string, void>;
  /** Told why the file broke off; its reader sees the connection end before the file does. */
  readonly onFault: (error: unknown) => void;
}

/** An answer that browsers save. */
export function attachment({ method }: Request, options: AttachmentOptions): Response {
  const { contentType, fileName } = options;
  const headers = {
    "Content-Type": `${contentType}; charset=utf-8`,
    "Content-Disposition": `attachment; filename="${fileName}"`,
    "X-Content-Type-Options": "nosniff",
  };
  return method === "HEAD" ? streamedHead(headers) : new Response(streamOf(options), { headers });
}

function streamOf({ parts, onFault }: AttachmentOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { text, isLast } = await nextChunk(parts);
          if (text !== "") controller.enqueue(encoder.encode(text));
          if (isLast) controller.close();
        } catch (error) {
          onFault(error);
          controller.error(error);
        }
      },
      async cancel() {
        await parts.return();
      },
    },
    { highWaterMark: 1 },
  );
}

/** Each piece in a turn of its own, so that others are served between two. */
export async function* inTurns(pieces: Iterable<string>): AsyncGenerator<string, void> {
  for (const piece of pieces) {
    await nextWorkTurn();
    yield piece;
  }
}

async function nextChunk(parts: AttachmentOptions["parts"]) {
  let text = "";
  while (text.length < CHUNK_CHARACTERS) {
    const next = await parts.next();
    if (next.done) return { text, isLast: true };
    text += next.value;
  }
  return { text, isLast: false };
}
