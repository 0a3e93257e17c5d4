import { describe, expect, test } from "bun:test";
import { inWords, linesOf } from "../testing/in-words.ts";
import { ACK, encodeFrame, NACK } from "./frame.ts";
import { ProfileSet } from "./profile-set.ts";
import { customFrameReader } from "./trace.ts";

const SALE = "3301100000100200001006Coffee000000250";
const readerOf = (profiles: ProfileSet, named?: string) =>
  inWords(customFrameReader(profiles, named));
const newReader = () => readerOf(ProfileSet.of());

function frame(counter: number, body: string): Uint8Array {
  return encodeFrame({ counter, body });
}

describe("frames of the CUSTOM protocol", () => {
  test("are shown by the profiles' names, with counter and content", () => {
    const reader = newReader();
    const frames = [
      ...reader.read("out", frame(0, "1016")),
      ...reader.read("in", Uint8Array.of(ACK)),
      ...reader.read("out", Uint8Array.of(ACK)),
      ...reader.read("in", frame(0, "1016000")),
      ...reader.read("out", frame(1, SALE)),
      ...reader.read("in", Uint8Array.of(NACK)),
      ...reader.read("in", frame(1, "ERR16")),
      ...reader.read("out", frame(2, "9999abc")),
    ];
    expect(linesOf(frames)).toEqual([
      '1016 open documents #00  "1016"',
      "ACK",
      "ACK",
      '1016 open documents #00  "1016000"',
      `3301 sale #01  "${SALE}"`,
      "NACK",
      '3301 sale #01  "ERR16"  E306: Out of paper: load paper (ERR16, 16)',
      '9999 #02  "9999abc"',
    ]);
    expect(frames[4]?.hex).toBe(Buffer.from(frame(1, SALE)).toString("hex"));
    expect(frames.some(({ isDamaged }) => isDamaged)).toBe(false);
  });

  test("are found whole, however they are cut", () => {
    const answer = Buffer.of(ACK, ...frame(7, "1016000"));
    const whole = newReader();
    whole.read("out", frame(7, "1016"));
    const cut = newReader();
    cut.read("out", frame(7, "1016"));
    expect([...answer].flatMap((byte) => cut.read("in", Uint8Array.of(byte)))).toEqual(
      whole.read("in", answer),
    );
  });

  test("may be answered without a frame", () => {
    const reader = newReader();
    reader.read("out", frame(3, SALE));
    expect(linesOf(reader.read("in", Buffer.from("\u00063301")))).toEqual(["ACK", 'text  "3301"']);
    expect(linesOf(reader.read("in", Buffer.from("ERR05")))[0]).toStartWith('text  "ERR05"  E');
  });

  test("are those of the profile that the device was registered with", () => {
    const profiles = ProfileSet.of([
      {
        source: "mine.json",
        value: {
          id: "mine",
          title: "Mine",
          extends: "custom-rt-gen3",
          commands: { openDocuments: { send: "8888", reply: "8888{fiscal:n1}{nonFiscal:n1}{*}" } },
        },
      },
    ]);
    expect(profiles.find("mine")?.faults).toEqual([]);
    const [mine] = readerOf(profiles, "mine").read("out", frame(0, "8888"));
    expect(mine?.name).toBe("8888 open documents #00");
    const [other] = readerOf(profiles, "custom-rt-gen3").read("out", frame(0, "8888"));
    expect(other?.name).toBe("8888 #00");
  });
});

describe("what is no frame", () => {
  test("is shown as damaged, the frames around it as what they are", () => {
    const reader = newReader();
    reader.read("out", frame(4, "1016"));
    const answer = frame(4, "1016000");
    const wrong = answer.with(-2, 0x30).with(-3, 0x30);
    const bytes = Buffer.of(0x80, ...wrong, 0x81, ACK, ...answer.subarray(0, 5), ...answer);
    expect(
      reader
        .read("in", bytes)
        .map(({ name, byteCount, isDamaged }) => [name, byteCount, isDamaged]),
    ).toEqual([
      ["no frame", 1, true],
      ["wrong checksum", wrong.length, true],
      ["no frame", 1, true],
      ["ACK", 1, false],
      ["no frame", 5, true],
      ["1016 open documents #04", answer.length, false],
    ]);
  });

  test("is cut for display and counted, and a megabyte of it is not kept", () => {
    const reader = newReader();
    reader.read("out", frame(0, "1016"));
    const noise = new Uint8Array(1_048_576).fill(0x80);
    const frames = reader.read("in", noise);
    expect(frames.reduce((sum, { byteCount }) => sum + byteCount, 0)).toBe(noise.length);
    expect(Math.max(...frames.map(({ hex }) => hex.length))).toBe(512);
  });

  test("is told at the end of the line when a frame was cut short", () => {
    const reader = newReader();
    reader.read("out", frame(0, "1016"));
    expect(reader.read("in", frame(0, "1016000").subarray(0, 6))).toEqual([]);
    expect(reader.rest()[0]).toMatchObject({ name: "cut short", byteCount: 6, isDamaged: true });
  });
});
