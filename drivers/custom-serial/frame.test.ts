/** Frames: golden bytes, and whatever a line may do to them. */

import { describe, expect, test } from "bun:test";
import { CHECKSUM_KINDS, checksumOf } from "./checksum.ts";
import {
  ACK,
  BODY_BYTES_MAX,
  CUSTOM_FORMAT,
  ETX,
  encodeFrame,
  FrameDecoder,
  type FrameEvent,
  type FrameFormat,
  NACK,
  ReplyDecoder,
  STX,
} from "./frame.ts";
import { VECTORS } from "./testdata/vectors.ts";

const CLOCK = { counter: 3, body: "1001" };
const CLOCK_EVENT: FrameEvent = { kind: "frame", ...CLOCK };

/** A protocol of a rebranded device, as a public test of it shows: BCC behind ETX, no ident. */
const BCC_FORMAT: FrameFormat = {
  ...CUSTOM_FORMAT,
  counterDigits: 1,
  ident: "",
  checksum: { kind: "xor1", over: ["counter", "body", "end"], place: "afterEnd" },
};
const LINE_FORMAT: FrameFormat = {
  ...CUSTOM_FORMAT,
  start: undefined,
  end: 0x0d,
  counterDigits: 0,
  ident: "",
  checksum: { kind: "none", over: [], place: "beforeEnd" },
};

describe("a frame", () => {
  for (const { name, counter, body, bytes } of VECTORS) {
    test(`of ${name} is written and read as the manual says`, () => {
      expect(encodeFrame({ counter, body })).toEqual(bytes);
      expect(new FrameDecoder().push(bytes)).toEqual([{ kind: "frame", counter, body }]);
    });
  }

  test("has counter 00 after counter 99", () => {
    expect(encodeFrame({ counter: 100, body: "1001" })).toEqual(
      encodeFrame({ counter: 0, body: "1001" }),
    );
  });

  test("is refused before it is sent when it is too long or breaks the framing", () => {
    const encode = (body: string) => () => encodeFrame({ counter: 1, body });
    expect(encode("1".repeat(BODY_BYTES_MAX))).not.toThrow();
    expect(encode("1".repeat(BODY_BYTES_MAX + 1))).toThrow("longer than 248 bytes");
    for (const sign of [STX, ETX, ACK, NACK, 0x11, 0x13, 0x7f, 0xe9]) {
      expect(encode(`30${String.fromCharCode(sign)}`)).toThrow("no frame can hold");
    }
  });

  test("may end with a checksum behind its last byte", () => {
    // Bytes of a public test for a rebranded device, computed by hand: XOR of counter to ETX.
    const bytes = Buffer.from("0230313152314b4559544553540d31540d0374", "hex");
    const frame = { counter: 0, body: "11R1KEYTEST\r1T\r" };
    expect(Buffer.from(encodeFrame(frame, BCC_FORMAT))).toEqual(bytes);
    expect(new FrameDecoder(BCC_FORMAT).push(bytes)).toEqual([{ kind: "frame", ...frame }]);
  });

  test("may be a line of text", () => {
    const frame = { counter: 0, body: "3R" };
    const bytes = encodeFrame(frame, LINE_FORMAT);
    expect(Buffer.from(bytes).toString()).toBe("3R\r");
    expect(new FrameDecoder(LINE_FORMAT).push(bytes)).toEqual([{ kind: "frame", ...frame }]);
  });
});

describe("the decoder", () => {
  const frame = encodeFrame(CLOCK);

  test("finds a frame split at every byte", () => {
    for (let at = 0; at <= frame.length; at += 1) {
      const decoder = new FrameDecoder();
      const events = [...decoder.push(frame.subarray(0, at)), ...decoder.push(frame.subarray(at))];
      expect(events).toEqual([CLOCK_EVENT]);
    }
  });

  test("finds two frames and the signs around them in one chunk", () => {
    const chunk = Uint8Array.of(ACK, ...frame, NACK, ...frame);
    const events = new FrameDecoder().push(chunk);
    expect(events).toEqual([{ kind: "ack" }, CLOCK_EVENT, { kind: "nack" }, CLOCK_EVENT]);
  });

  test("passes over noise before a frame", () => {
    const noise = Uint8Array.of(0x00, 0x41, 0xff, ETX, 0x11);
    expect(new FrameDecoder().push(Uint8Array.of(...noise, ...frame))).toEqual([CLOCK_EVENT]);
  });

  test("notices any single byte that was changed", () => {
    for (let at = 1; at < frame.length - 1; at += 1) {
      const broken = frame.slice();
      broken[at] = (broken[at] ?? 0) ^ 0x04;
      const events = new FrameDecoder().push(broken);
      expect(events.some(({ kind }) => kind === "frame")).toBe(false);
    }
  });

  test("tells a wrong checksum from a broken frame", () => {
    const [wrong] = new FrameDecoder().push(Buffer.from("0230333031303031343203", "hex"));
    expect(wrong).toEqual({ kind: "garbled", reason: "checksum" });
    const [broken] = new FrameDecoder().push(Uint8Array.of(STX, 0x30, ETX));
    expect(broken).toEqual({ kind: "garbled", reason: "framing" });
  });

  test("goes on with the frame that begins within another one", () => {
    const chunk = Uint8Array.of(...frame.subarray(0, 5), ...frame);
    expect(new FrameDecoder().push(chunk)).toEqual([
      { kind: "garbled", reason: "framing" },
      CLOCK_EVENT,
    ]);
  });

  test("gives up a frame without an end and finds the next one", () => {
    const endless = new Uint8Array(2_000).fill(0x31);
    const events = new FrameDecoder().push(Uint8Array.of(STX, ...endless, ...frame));
    expect(events).toEqual([{ kind: "garbled", reason: "framing" }, CLOCK_EVENT]);
  });

  test("lives through a megabyte of noise without keeping it", () => {
    const decoder = new FrameDecoder();
    let state = 1;
    for (let round = 0; round < 256; round += 1) {
      const noise = Uint8Array.from({ length: 4_096 }, () => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return state >> 16;
      });
      for (const { kind } of decoder.push(noise)) expect(kind).not.toBe("frame");
    }
    const silence = new Uint8Array(300);
    expect(decoder.push(Uint8Array.of(...silence, ...frame)).at(-1)).toEqual(CLOCK_EVENT);
  });
});

describe("an answer without a frame", () => {
  const text = (bytes: string) => Buffer.from(bytes, "latin1");

  test("ends where nothing comes after it", () => {
    const decoder = new ReplyDecoder();
    expect(decoder.push(text("\x061001"))).toEqual([{ kind: "ack" }]);
    expect(decoder.push(text("2011261130"))).toEqual([]);
    expect(decoder.flush()).toEqual({ kind: "bare", body: "10012011261130" });
    expect(decoder.flush()).toBeUndefined();
  });

  test("is none when a frame or an acknowledgement follows it", () => {
    const decoder = new ReplyDecoder();
    expect(decoder.push(Uint8Array.of(...text("rest"), ...encodeFrame(CLOCK)))).toHaveLength(1);
    expect(decoder.flush()).toBeUndefined();
    decoder.push(text("rest\x06"));
    expect(decoder.bare).toBe("");
  });

  test("is noise on lines whose answers have frames", () => {
    const decoder = new ReplyDecoder(CUSTOM_FORMAT, false);
    decoder.push(text("1001"));
    expect(decoder.flush()).toBeUndefined();
  });

  test("has a bound", () => {
    const decoder = new ReplyDecoder();
    decoder.push(new Uint8Array(10_000).fill(0x41));
    expect(decoder.bare).toHaveLength(BODY_BYTES_MAX);
  });

  test("is as long as the format's bodies, and damaged where it is longer", () => {
    const decoder = new ReplyDecoder({ ...CUSTOM_FORMAT, bodyBytesMax: 404 });
    const body = "1".repeat(404);
    decoder.push(text(body));
    expect(decoder.flush()).toEqual({ kind: "bare", body });
    decoder.push(text(`${body}1`));
    expect(decoder.flush()).toEqual({ kind: "garbled", reason: "framing" });
    decoder.push(text("1001"));
    expect(decoder.flush()).toEqual({ kind: "bare", body: "1001" });
  });
});

describe("the checksums", () => {
  const expected = {
    none: "",
    sumMod100Ascii: "90",
    sumMod256Hex: "22",
    xor1: "\x00",
    xorHex2: "00",
    xorNibbles30: "00",
  } as const;

  test.each([...CHECKSUM_KINDS])("%s is as its rule says", (kind) => {
    expect(checksumOf(kind, "001001")).toBe(expected[kind]);
  });

  test("of XOR kinds differ in how they write one byte", () => {
    const written = (["xor1", "xorHex2", "xorNibbles30"] as const).map((kind) =>
      checksumOf(kind, "11R"),
    );
    expect(written).toEqual(["R", "52", "52"]);
  });
});
