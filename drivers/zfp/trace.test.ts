import { describe, expect, test } from "bun:test";
import type { TracedFrame } from "#core/device/trace.ts";
import { inWords, linesOf } from "../testing/in-words.ts";
import { DEVICE_COMMANDS } from "./device-commands.ts";
import { encodeAck, encodeData, encodeRequest } from "./frame.ts";
import { VECTORS, vectorOf } from "./testdata/vectors.ts";
import { zfpFrameReader } from "./trace.ts";

const newReader = () => inWords(zfpFrameReader());

const SECRET = "739164";
const SECRET_HEX = Buffer.from(SECRET).toString("hex");
const NBL = 0x41;

function request(command: number, data: string): Uint8Array {
  return encodeRequest({ nbl: NBL, command, data: Buffer.from(data) });
}

function expectNoSecret(frames: readonly TracedFrame[]): void {
  expect(JSON.stringify(frames)).not.toContain(SECRET);
  expect(JSON.stringify(frames)).not.toContain(SECRET_HEX);
}

describe("golden frames", () => {
  test("are shown with the command's name and its data", () => {
    const reader = newReader();
    const { request: question } = vectorOf("js_pay_cash");
    const [frame] = reader.read("out", question);
    expect(frame?.name).toStartWith("35h payment #");
    expect(frame?.hex).toBe(Buffer.from(question).toString("hex"));
    expect(linesOf(reader.read("out", vectorOf("js_hdr_set1").request))[0]).toEndWith(
      '"1;MY SHOP LTD"',
    );
  });

  test("are all found, whole, however they are cut", () => {
    let found = 0;
    for (const { request: question, reply: answer } of VECTORS) {
      if (answer === undefined) continue;
      const whole = newReader();
      const asked = whole.read("out", question);
      const answered = whole.read("in", answer);
      const cut = newReader();
      cut.read("out", question);
      expect([...answer].flatMap((byte) => cut.read("in", Uint8Array.of(byte)))).toEqual(answered);
      if (asked.some(({ isDamaged }) => isDamaged)) continue;
      expect(answered.reduce((sum, { byteCount }) => sum + byteCount, 0)).toBe(answer.length);
      found += answered.filter(({ isDamaged }) => !isDamaged).length;
    }
    expect(found).toBeGreaterThan(40);
  });

  test("tell what is refused, what is busy and what a ping says", () => {
    const reader = newReader();
    const refused = encodeAck({ nbl: NBL, deviceError: 0x31, commandError: 0x32 });
    const done = encodeAck({ nbl: NBL, deviceError: 0x30, commandError: 0x30 });
    const frames = [
      ...reader.read("out", request(DEVICE_COMMANDS.closeReceipt.command, "")),
      ...reader.read("in", Buffer.of(0x0e, 0x15, ...refused, ...done)),
      ...reader.read("out", Uint8Array.of(0x09)),
      ...reader.read("in", Uint8Array.of(0x41, 0x40, 0x50)),
    ];
    expect(linesOf(frames)).toEqual([
      "38h close receipt #41h",
      "busy 0Eh  working",
      "NACK  say it again",
      "ACK 38h close receipt #41h  STE 31 32: out of paper",
      "ACK 38h close receipt #41h  done",
      "ping 09h  ready?",
      "ping 41h  busy",
      "ping 40h  ready",
      "ping 50h  The device wants a TCP password: take it off on the device",
    ]);
  });

  test("tell the state in words", () => {
    const reader = newReader();
    const { status } = DEVICE_COMMANDS;
    reader.read("out", request(status.command, ""));
    const data = Uint8Array.of(0x80, 0x81, 0x82, 0xa0, 0x80, 0x80, 0x80);
    const answer = encodeData({ nbl: NBL, command: status.command, data });
    expect(linesOf(reader.read("in", answer))).toEqual([
      "20h status #41h  status 808182a0808080  out of paper, fiscal receipt open",
    ]);
  });
});

describe("operator passwords", () => {
  test.each([
    ["openReceipt", `1;${SECRET};1;1;0`, '"1;****;1;1;0"'],
    ["openSlip", `20;${SECRET}`, '"20;****"'],
    ["moveCash", `1;${SECRET};0;5.00`, '"1;****;0;5.00"'],
    ["setOperator", `1;Ann                 ;${SECRET}`, '"1;Ann                 ;****"'],
    ["setOperator", `1;An;n;${SECRET}`, '"1;An;****"'],
    ["openReceipt", SECRET, '"****"'],
    ["openReceipt", `${SECRET};1;1;1;0`, '"****"'],
    ["openReceipt", `1,${SECRET},1`, '"****"'],
  ] as const)("are masked in %s %p", (name, data, text) => {
    const bytes = request(DEVICE_COMMANDS[name].command, data);
    const [frame, ...more] = newReader().read("out", bytes);
    expect([frame?.text, more]).toEqual([text, []]);
    expect(frame?.hex).toEndWith("****0a");
    expectNoSecret([...(frame ? [frame] : []), ...more]);
  });

  test("are masked in the answer that tells one, in an echo and in damaged answers", () => {
    const reader = newReader();
    const { command } = DEVICE_COMMANDS.operator;
    const data = Buffer.from(`1;Ann;${SECRET}`);
    const answer = encodeData({ nbl: NBL, command, data });
    const opening = request(DEVICE_COMMANDS.openReceipt.command, `1;${SECRET};1;1;0`);
    const frames = [
      ...reader.read("in", answer),
      ...reader.read("out", request(command, "1")),
      ...reader.read("in", answer),
      ...reader.read("in", answer.with(-2, 0x30)),
      ...reader.read("in", answer.subarray(0, 14)),
      ...reader.rest(),
      ...reader.read("out", opening),
      ...reader.read("in", opening),
      ...reader.read("in", opening.subarray(3)),
    ];
    expect(frames.map(({ text }) => text)).toContain('"1;Ann;****"');
    expect(frames.filter(({ isDamaged }) => isDamaged).length).toBeGreaterThan(2);
    expectNoSecret(frames);
  });

  test("are masked in commands that the table does not name, with their answers", () => {
    const reader = newReader();
    const frames = [
      ...reader.read("out", request(0x42, `${SECRET};20.00`)),
      ...reader.read("in", encodeData({ nbl: NBL, command: 0x42, data: Buffer.from(SECRET) })),
      ...reader.read("out", Buffer.from(`${SECRET}\n`)),
    ];
    expect(linesOf(frames)).toEqual([
      '42h unknown #41h  "****"',
      '42h unknown #41h  "****"',
      "no frame",
    ]);
    expectNoSecret(frames);
  });
});

describe("what is no frame", () => {
  test("is masked whole with the frame that is sent behind it", () => {
    const opening = request(DEVICE_COMMANDS.openReceipt.command, `1;${SECRET};1;1;0`);
    for (const frame of [opening, Uint8Array.of(0x09), Uint8Array.of(0x04)]) {
      const bytes = Buffer.of(...Buffer.from(SECRET), ...frame);
      const shownFrames = newReader().read("out", bytes);
      expect(shownFrames).toMatchObject([{ isDamaged: true, hex: "**".repeat(bytes.length) }]);
    }
  });

  test("is shown as damaged, the frames around it as what they are", () => {
    const reader = newReader();
    reader.read("out", request(DEVICE_COMMANDS.closeReceipt.command, ""));
    const done = encodeAck({ nbl: NBL, deviceError: 0x30, commandError: 0x30 });
    const wrong = done.with(-2, 0x3f);
    const bytes = Buffer.of(0x7f, ...wrong, 0x7f, ...done.subarray(0, 3), ...done, 0x7f);
    const frames = reader.read("in", bytes);
    expect(frames.map(({ name, byteCount }) => [name, byteCount])).toEqual([
      ["no frame", 1],
      ["wrong checksum", 7],
      ["no frame", 1],
      ["no frame", 3],
      ["ACK 38h close receipt #41h", 7],
      ["no frame", 1],
    ]);
  });

  test("is cut for display and counted, and a megabyte of it is not kept", () => {
    const reader = newReader();
    reader.read("out", request(DEVICE_COMMANDS.status.command, ""));
    const noise = new Uint8Array(1_048_576).fill(0x7f);
    const frames = reader.read("in", noise);
    expect(frames.reduce((sum, { byteCount }) => sum + byteCount, 0)).toBe(noise.length);
    expect(Math.max(...frames.map(({ hex }) => hex.length))).toBe(512);
  });
});
