import { describe, expect, test } from "bun:test";
import { IDENTIFIED } from "#core/driver.ts";
import { memoryLinePair } from "../transport/memory.ts";
import { FirstWords } from "./first-words.ts";

/** What is told of a line over which these pieces came. */
async function toldAfter(...pieces: readonly (string | Uint8Array)[]) {
  const { code, heard } = await wordsAfter(new Map(), pieces);
  return { code, heard };
}

async function wordsAfter(
  remembered: Map<string, string>,
  pieces: readonly (string | Uint8Array)[],
) {
  const [host, device] = memoryLinePair();
  const words = new FirstWords(host, { remembered });
  let heard = 0;
  words.line.listen({
    data(chunk) {
      heard += chunk.length;
    },
    closed() {},
  });
  for (const piece of pieces) device.write(Buffer.from(piece));
  await new Promise((resolve) => setImmediate(resolve));
  const { code, message } = words.unidentified();
  return { code, message, heard };
}

describe("a line on which no device made itself known", () => {
  test("is E101 where nothing came, or refusals, or noise", async () => {
    expect(await toldAfter()).toEqual({ code: "E101", heard: 0 });
    expect(await toldAfter(new Uint8Array(40).fill(0x15))).toEqual({ code: "E101", heard: 40 });
    expect(await toldAfter(new Uint8Array(4_000).fill(0x40))).toEqual({
      code: "E101",
      heard: 4_000,
    });
    expect((await toldAfter("PRINTER READY\r\n")).code).toBe("E101");
  });

  test("is not told to have another driver or speed where this driver has known it", async () => {
    const known = new Map([[IDENTIFIED, ""]]);
    expect(await wordsAfter(known, [Uint8Array.of(0x15, 0x15)])).toMatchObject({
      code: "E101",
      message: expect.stringContaining("answers late or garbled: it may be busy"),
    });
    expect(await wordsAfter(known, ["HTTP/1.1 400 Bad Request\r\n\r\n"])).toMatchObject({
      code: "E200",
    });
  });

  test.each([
    "HTTP/1.1 400 Bad Request\r\n\r\n",
    "SSH-2.0-OpenSSH_9.6\r\n",
    "220 ftp.example.com ready\r\n",
    "RTSP/1.0 400 Bad Request\r\n",
  ])("is E200 where a service of another kind says %j, in whatever pieces", async (words) => {
    expect((await toldAfter(words)).code).toBe("E200");
    expect((await toldAfter(...words)).code).toBe("E200");
  });
});
