/** Answers that come line by line. */

/**
 * Each line as it comes; blank ones only mean that nothing happened.
 * @param heard told that something came, be it a blank one
 */
export async function* linesOf<Line>(
  stream: ReadableStream<Uint8Array>,
  heard?: () => void,
): AsyncGenerator<Line> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    heard?.();
    const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield JSON.parse(line);
    if (done) return;
  }
}
