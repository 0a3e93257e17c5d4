/** The lines of an answer, or of the journal, that goes on. */

/** No line of the gateway's own is longer; a stream without line ends is none of them. */
const LINE_CHARACTERS_MAX = 1_048_576;

/**
 * Reads a body line by line; empty lines, which only say that it goes on, are left out.
 * @throws Error when a line is too long, or the body breaks off
 */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LINE_CHARACTERS_MAX) throw new Error("a line without end came");
    for (const line of lines) if (line !== "") yield line;
  }
}
