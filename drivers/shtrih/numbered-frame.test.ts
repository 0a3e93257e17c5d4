/** Numbered frames: the golden ones byte for byte, and what a bad line makes of them. */

import { describe, expect, test } from "bun:test";
import { crcOf, encodeNumbered, NumberedDecoder, QUESTION, START } from "./numbered-frame.ts";
import { VECTORS } from "./testdata/vectors.ts";

const NUMBERED = VECTORS.filter(({ name }) => /^(real_)?p2_/.test(name));
/** Holds both bytes that are written as two. */
const AWKWARD = Uint8Array.of(0x1e, 0x8f, 0x9f, 0x81, 0x83, 0x8f);
const FRAME = encodeNumbered(0x8f9f, AWKWARD);

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

test("every golden frame is decoded whole and encoded to the same bytes", () => {
  expect(NUMBERED.length).toBe(8);
  for (const { name, request, reply } of NUMBERED) {
    for (const frame of [request, reply]) {
      if (!frame) continue;
      const [token, ...more] = new NumberedDecoder().push(frame);
      expect(more).toEqual([]);
      const again = token?.kind === "frame" ? encodeNumbered(token.number, token.body) : QUESTION;
      expect({ name, kind: token?.kind, frame: hex(again) }).toEqual({
        name,
        kind: name === "real_p2_sync" && frame === request ? "question" : "frame",
        frame: hex(frame),
      });
    }
  }
});

test("the checksums are those that the maker's driver computes", () => {
  expect(crcOf(Uint8Array.of(0, 0))).toBe(0x1d0f);
  expect(crcOf(Uint8Array.of(3, 0, 6, 0, 0xfc))).toBe(0x63ed);
});

describe("a frame is found", () => {
  const TOKEN = { kind: "frame", number: 0x8f9f, body: AWKWARD } as const;

  test("split at every byte", () => {
    for (let at = 0; at <= FRAME.length; at += 1) {
      const decoder = new NumberedDecoder();
      const tokens = [...decoder.push(FRAME.subarray(0, at)), ...decoder.push(FRAME.subarray(at))];
      expect(tokens).toEqual([TOKEN]);
      expect(decoder.isMidFrame).toBe(false);
    }
  });

  test("twice in one chunk, behind junk", () => {
    const chunk = Uint8Array.from([0x05, 0x02, 0x9f, 0x00, ...FRAME, ...FRAME]);
    expect(new NumberedDecoder().push(chunk)).toEqual([TOKEN, TOKEN]);
  });

  test("behind one that breaks off at any byte", () => {
    for (let at = 1; at < FRAME.length; at += 1) {
      const chunk = Uint8Array.from([...FRAME.subarray(0, at), ...FRAME]);
      expect(new NumberedDecoder().push(chunk)).toEqual([{ kind: "damaged" }, TOKEN]);
    }
  });
});

test("no single damaged byte makes another frame of it", () => {
  for (let at = 0; at < FRAME.length; at += 1) {
    for (const change of [0x01, 0x10, 0x80, 0xff]) {
      const bytes = FRAME.slice();
      bytes[at] = (bytes[at] ?? 0) ^ change;
      const frames = new NumberedDecoder().push(bytes).filter(({ kind }) => kind !== "damaged");
      expect(frames).toEqual([]);
    }
  }
});

test("impossible lengths are damage, and hold nothing", () => {
  for (const length of [1, 1_027, 65_535]) {
    const decoder = new NumberedDecoder();
    const head = Uint8Array.of(START, length & 0xff, length >> 8);
    // The maker's byte for FFh is itself: only 8Fh and 9Fh are written as two.
    expect(decoder.push(head)).toEqual([{ kind: "damaged" }]);
    expect(decoder.isMidFrame).toBe(false);
  }
});

test("a body that no device takes is not sent", () => {
  expect(() => encodeNumbered(2, new Uint8Array(256))).toThrow("255");
});
