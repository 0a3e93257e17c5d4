import { describe, expect, test } from "bun:test";
import {
  DATA_BYTES_MAX,
  encodeReply,
  encodeRequest,
  type Generation,
  ReplyDecoder,
  type ReplyEvent,
  RequestDecoder,
  STATUS_BYTES,
} from "./frame.ts";
import { VECTORS, vectorOf } from "./testdata/vectors.ts";

const GENERATIONS: readonly Generation[] = ["short", "long"];

function replyOf(generation: Generation, text = "0\t27\t", seq = 0x21): Uint8Array {
  return encodeReply(generation, {
    seq,
    command: 49,
    data: Buffer.from(text),
    status: new Uint8Array(STATUS_BYTES[generation]).fill(0x80),
  });
}

function kinds(events: readonly ReplyEvent[]): string[] {
  return events.map((event) => (event.kind === "garbled" ? event.reason : event.kind));
}

describe("golden frames", () => {
  test("all 274 are there", () => {
    expect(VECTORS).toHaveLength(274);
  });

  for (const vector of VECTORS) {
    test(`${vector.name} decodes and encodes to the same bytes`, () => {
      const [request, ...others] = new RequestDecoder(vector.generation).push(vector.request);
      expect(others).toEqual([]);
      if (request?.kind !== "request") throw new Error(`${request?.kind}`);
      expect(encodeRequest(vector.generation, request)).toEqual(vector.request);

      const events = new ReplyDecoder(vector.generation).push(vector.reply);
      const reply = events.at(-1);
      if (vector.name.endsWith("bad-bcc")) {
        expect(kinds(events)).toEqual(["checksum"]);
      } else if (reply?.kind === "reply") {
        expect(reply.seq).toBe(request.seq);
        expect(reply.command).toBe(request.command);
        const encoded = encodeReply(vector.generation, reply);
        expect(Uint8Array.from(encoded)).toEqual(vector.reply.slice(-encoded.length));
      } else {
        expect(kinds(events)).toEqual(["nak"]);
      }
    });
  }

  test("a busy device's SYN bytes come before its answer", () => {
    const { reply } = vectorOf("datecs-c-transport-syn-then-reply");
    expect(kinds(new ReplyDecoder("short").push(reply))).toEqual(["syn", "syn", "syn", "reply"]);
  });
});

for (const generation of GENERATIONS) {
  describe(`${generation} frames`, () => {
    test("are found when they come split at any byte", () => {
      const bytes = replyOf(generation);
      for (let at = 1; at < bytes.length; at += 1) {
        const decoder = new ReplyDecoder(generation);
        expect(decoder.push(bytes.slice(0, at))).toEqual([]);
        expect(kinds(decoder.push(bytes.slice(at)))).toEqual(["reply"]);
      }
    });

    test("are found when each byte comes alone", () => {
      const decoder = new ReplyDecoder(generation);
      const events = Array.from(replyOf(generation)).flatMap((byte) =>
        decoder.push(Uint8Array.of(byte)),
      );
      expect(kinds(events)).toEqual(["reply"]);
    });

    test("are found when two come in one chunk", () => {
      const two = Buffer.concat([replyOf(generation, "a", 0x30), replyOf(generation, "b", 0x31)]);
      expect(new ReplyDecoder(generation).push(two)).toMatchObject([
        { kind: "reply", seq: 0x30, data: Uint8Array.from(Buffer.from("a")) },
        { kind: "reply", seq: 0x31, data: Uint8Array.from(Buffer.from("b")) },
      ]);
    });

    test("are found behind junk, which is counted", () => {
      const noisy = Buffer.concat([Buffer.from("~~~"), replyOf(generation)]);
      const [junk, reply] = new ReplyDecoder(generation).push(noisy);
      expect(junk).toEqual({ kind: "discarded", bytes: 3 });
      expect(reply?.kind).toBe("reply");
    });

    test("with a wrong checksum are garbled, and the next one is found", () => {
      const bad = replyOf(generation);
      bad[bad.length - 2] = (bad.at(-2) ?? 0) ^ 1;
      const events = new ReplyDecoder(generation).push(Buffer.concat([bad, replyOf(generation)]));
      expect(kinds(events)).toEqual(["checksum", "reply"]);
    });

    test("with any one bit wrong are never taken for right ones", () => {
      const good = replyOf(generation);
      for (let bit = 0; bit < good.length * 8; bit += 1) {
        const bad = good.slice();
        bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(kinds(new ReplyDecoder(generation).push(bad))).not.toContain("reply");
      }
    });

    test("cut short give way to the next one", () => {
      const cut = replyOf(generation).slice(0, 9);
      const events = new ReplyDecoder(generation).push(Buffer.concat([cut, replyOf(generation)]));
      expect(kinds(events)).toEqual(["framing", "reply"]);
    });

    test("of impossible length are garbled at once", () => {
      const header = generation === "short" ? [0x01, 0x21] : [0x01, 0x3f, 0x3f, 0x3f, 0x3f];
      const events = new ReplyDecoder(generation).push(Uint8Array.from(header));
      expect(kinds(events)).toEqual(["framing"]);
    });

    test("take the most data that fits, and refuse one byte more with E400", () => {
      const most = DATA_BYTES_MAX[generation].request;
      const frame = { seq: 0x20, command: 42, data: new Uint8Array(most).fill(0x41) };
      const decoded = new RequestDecoder(generation).push(encodeRequest(generation, frame));
      expect(decoded).toEqual([{ kind: "request", ...frame }]);
      const over = { ...frame, data: new Uint8Array(most + 1).fill(0x41) };
      expect(() => encodeRequest(generation, over)).toThrow(
        expect.objectContaining({ code: "E400" }),
      );
    });

    test("carry control bytes in data escaped", () => {
      const data = Uint8Array.from([0x41, 0x01, 0x03, 0x10, 0x09, 0x0a, 0x1f]);
      const bytes = encodeRequest(generation, { seq: 0x20, command: 42, data });
      expect(bytes.filter((byte) => byte === 0x01)).toHaveLength(1);
      expect(new RequestDecoder(generation).push(bytes)).toMatchObject([{ data }]);
    });

    test("are found after a megabyte of noise, of which nothing is kept", () => {
      const decoder = new ReplyDecoder(generation);
      let seed = 1;
      const noise = new Uint8Array(1_048_576).map(() => {
        seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
        return seed >> 16;
      });
      decoder.push(noise);
      // Preambles only: the worst that a scanner could be made to look at again and again.
      decoder.push(new Uint8Array(1_048_576).fill(0x01));
      expect(kinds(decoder.push(replyOf(generation))).at(-1)).toBe("reply");
    });
  });
}
