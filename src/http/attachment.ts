/**
 * Answers that are saved as a file and may be of any length: a piece of it is made when the client
 * has taken the one before, and none after the client has gone.
 */

/** How the file is called, and what it is. */
export interface Attachment {
  readonly fileName: string;
  readonly contentType: string;
}

/** What becomes of one piece has a turn of its own, so that others are served between two. */
export function attachment(
  { fileName, contentType }: Attachment,
  pieces: Iterator<string, void>,
): Response {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await nextTurn();
        const piece = pieces.next();
        if (piece.done) controller.close();
        else controller.enqueue(encoder.encode(piece.value));
      },
      cancel() {
        pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, {
    headers: {
      "Content-Type": contentType,
      "Content-Disposition": `attachment; filename="${fileName}"`,
      "Cache-Control": "no-store",
    },
  });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
