/** Frames: whole, in pieces, damaged, and in the midst of noise. */

import { expect, test } from "bun:test";
import { ACK, encodeFrame, FILLER, FrameDecoder, NAK } from "./frame.ts";

const BODY = Uint8Array.of(0x80, 0, 0x01);
const FRAME = encodeFrame(BODY);

function kinds(bytes: Uint8Array): string[] {
  return new FrameDecoder().push(bytes).map(({ kind }) => kind);
}

test("writes length, body and checksum", () => {
  expect(Buffer.from(encodeFrame(Uint8Array.of(0xfc))).toString("hex")).toBe("0201fcfd");
});

test("refuses a body that no length byte can count", () => {
  expect(() => encodeFrame(new Uint8Array(0))).toThrow("1 to 255 bytes");
  expect(() => encodeFrame(new Uint8Array(256))).toThrow("1 to 255 bytes");
  expect(encodeFrame(new Uint8Array(255))).toHaveLength(258);
});

test("reads a frame split at every byte", () => {
  for (let at = 0; at <= FRAME.length; at += 1) {
    const decoder = new FrameDecoder();
    const tokens = [...decoder.push(FRAME.subarray(0, at)), ...decoder.push(FRAME.subarray(at))];
    expect(tokens).toEqual([{ kind: "frame", body: BODY }]);
  }
});

test("reads two frames and the signs around them in one chunk", () => {
  const chunk = Uint8Array.of(ACK, ...FRAME, FILLER, FILLER, NAK, ...FRAME);
  expect(kinds(chunk)).toEqual(["ack", "frame", "nak", "frame"]);
});

test("tells junk before a frame and reads the frame", () => {
  expect(kinds(Uint8Array.of(0x41, 0x00, ...FRAME))).toEqual(["junk", "junk", "frame"]);
});

test("tells a wrong checksum at any bit of the frame's body", () => {
  for (let at = 2; at < FRAME.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const damaged = FRAME.slice();
      damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
      expect(kinds(damaged)).toEqual(["damaged"]);
    }
  }
});

test("tells a frame of no length as damaged", () => {
  expect(kinds(Uint8Array.of(0x02, 0x00, ...FRAME))).toEqual(["damaged", "frame"]);
});

test("goes on after a truncated frame once the pause is told", () => {
  const decoder = new FrameDecoder();
  expect(decoder.push(FRAME.subarray(0, 4))).toEqual([]);
  expect(decoder.isMidFrame).toBe(true);
  decoder.reset();
  expect(decoder.push(FRAME)).toEqual([{ kind: "frame", body: BODY }]);
});

test("holds no more than a frame through a megabyte of noise, and finds the frame behind it", () => {
  const decoder = new FrameDecoder();
  const noise = new Uint8Array(4_096);
  let seed = 1;
  for (let round = 0; round < 256; round += 1) {
    for (let at = 0; at < noise.length; at += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      noise[at] = seed >> 16;
    }
    for (const token of decoder.push(noise)) {
      if (token.kind === "frame") expect(token.body.length).toBeLessThanOrEqual(255);
    }
  }
  decoder.reset();
  expect(decoder.push(FRAME)).toEqual([{ kind: "frame", body: BODY }]);
});
