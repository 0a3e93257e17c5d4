import { describe, expect, test } from "bun:test";
import type { TracedFrame } from "#core/device/trace.ts";
import { inWords, linesOf } from "../testing/in-words.ts";
import { join, textField, uint } from "./fields.ts";
import { ACK, ENQ, encodeFrame, NAK } from "./frame.ts";
import { encodeNumbered, QUESTION } from "./numbered-frame.ts";
import { REQUESTS, type RequestRow, TABLE } from "./requests.ts";
import { VECTORS, vectorOf } from "./testdata/vectors.ts";
import { shtrihFrameReader } from "./trace.ts";

const newReader = () => inWords(shtrihFrameReader());

const SECRET = 739_164;
const SECRET_BYTES = uint(SECRET, 4);
const SECRET_HEX = Buffer.from(SECRET_BYTES).toString("hex");

function request(code: number, ...parameters: (Uint8Array | number)[]): Uint8Array {
  return encodeFrame(join(code, ...parameters));
}

function expectNoSecret(frames: readonly TracedFrame[]): void {
  const all = JSON.stringify(frames);
  expect(all).not.toContain(SECRET_HEX);
  expect(all).not.toContain(String(SECRET));
}

describe("golden frames", () => {
  test("are shown with the command's name, texts, states and errors", () => {
    const reader = newReader();
    const type = vectorOf("py_device_type");
    const status = vectorOf("py_short_status_day_closed");
    const refused = vectorOf("py_bad_password");
    const frames = [type, status, refused].flatMap(({ request: question, reply: answer }) => [
      ...reader.read("out", question ?? new Uint8Array()),
      ...reader.read("in", answer ?? new Uint8Array()),
    ]);
    expect(linesOf(frames)).toEqual([
      "FCh device type",
      'FCh device type  "ШТРИХ-ФР-К"',
      "10h printer state",
      "10h printer state  mode day closed, idle",
      "10h printer state",
      "10h printer state  error 4Fh: The operator's password is wrong",
    ]);
    // The password and the checksum.
    expect(frames[2]?.hex).toBe("020510**********");
  });

  test("are all found, whole, however they are cut", () => {
    let found = 0;
    for (const { request: question, reply: answer } of VECTORS) {
      if (!question || !answer) continue;
      const whole = newReader();
      expect(whole.read("out", question).map(({ isDamaged }) => isDamaged)).toEqual([false]);
      const answered = whole.read("in", answer);
      const cut = newReader();
      cut.read("out", question);
      expect([...answer].flatMap((byte) => cut.read("in", Uint8Array.of(byte)))).toEqual(answered);
      expect(answered.reduce((sum, { byteCount }) => sum + byteCount, 0)).toBe(answer.length);
      found += answered.filter(({ isDamaged }) => !isDamaged).length;
    }
    expect(found).toBeGreaterThan(40);
  });

  test("tell what a control byte means where it stands", () => {
    const reader = newReader();
    const frames = [
      ...reader.read("out", Uint8Array.of(ENQ)),
      ...reader.read("in", Uint8Array.of(NAK)),
      ...reader.read("out", request(REQUESTS.deviceType.code)),
      ...reader.read("in", Uint8Array.of(NAK, ACK)),
      ...reader.read("out", Uint8Array.of(ENQ)),
      ...reader.read("in", Uint8Array.of(ACK)),
    ];
    expect(linesOf(frames)).toEqual([
      "ENQ",
      "NAK  waits for a command",
      "FCh device type",
      "NAK  command not taken",
      "ACK  command taken",
      "ENQ",
      "ACK  an answer is on its way",
    ]);
  });
});

describe("operator passwords", () => {
  test("are masked in every command that goes with one, checksum and all", () => {
    const rows: readonly RequestRow[] = Object.values(REQUESTS);
    const withPassword = rows.filter(({ role }) => role !== "none");
    for (const { code } of withPassword) {
      const bytes = request(code, SECRET_BYTES, 1, textField("Coffee", 40));
      const frames = newReader().read("out", bytes);
      expectNoSecret(frames);
      expect(frames[0]?.hex).toStartWith(`02${bytes.length - 3 === 46 ? "2e" : ""}`);
      expect(frames[0]?.hex).toEndWith("**");
      expect(frames[0]?.isDamaged).toBe(false);
    }
    expect(withPassword.length).toBeGreaterThan(20);
  });

  test("are masked in the operators' table, written and read", () => {
    const administrator = uint(30, 4);
    const reader = newReader();
    const at = [TABLE.operators, uint(1, 2), 1] as const;
    const { writeTable, readTable } = REQUESTS;
    const frames = [
      ...reader.read("out", request(writeTable.code, administrator, ...at, SECRET_BYTES)),
      ...reader.read("out", request(readTable.code, administrator, ...at)),
      ...reader.read("in", request(readTable.code, 0, SECRET_BYTES)),
    ];
    expectNoSecret(frames);
    const name = [TABLE.operators, uint(1, 2), 2] as const;
    const named = reader.read(
      "out",
      request(writeTable.code, administrator, ...name, textField("Maria", 21)),
    );
    expect(named[0]?.text).toBe('"Maria"');
  });

  test("are masked in tables and commands that the driver does not know", () => {
    const reader = newReader();
    const { readTable } = REQUESTS;
    const frames = [
      ...reader.read("out", request(readTable.code, uint(30, 4), 16, uint(1, 2), 1)),
      ...reader.read("in", request(readTable.code, 0, SECRET_BYTES)),
      ...reader.read("out", request(0xfe, 0xf3, SECRET_BYTES)),
      ...reader.read("in", request(0xfe, 0xf3, 0, SECRET_BYTES)),
      ...reader.read("out", request(0x0d, SECRET_BYTES)),
      ...reader.read("in", request(0x0d, 0, SECRET_BYTES)),
    ];
    expect(frames.every(({ isDamaged }) => !isDamaged)).toBe(true);
    expectNoSecret(frames);
  });

  test("are masked in an echo, in damaged answers and in late ones", () => {
    const reader = newReader();
    const bytes = request(REQUESTS.sale.code, SECRET_BYTES, textField("Coffee", 40));
    const frames = [
      ...reader.read("out", bytes),
      ...reader.read("in", bytes),
      ...reader.read("in", bytes.with(-1, 0)),
      ...reader.read("in", bytes.subarray(3)),
      ...reader.read("in", request(REQUESTS.readTable.code, 0, SECRET_BYTES)),
      ...reader.read("in", bytes.subarray(0, 20)),
      ...reader.rest(),
      ...reader.read("out", Uint8Array.of(9, ...SECRET_BYTES)),
    ];
    expect(frames[1]?.name).toBe("echo 80h sale");
    expect(frames.filter(({ isDamaged }) => isDamaged).length).toBeGreaterThan(2);
    expectNoSecret(frames);
  });
});

describe("numbered frames", () => {
  const password = Uint8Array.of(0x8f, 0x9f, 0x39, 0x8f);
  const sale = join(REQUESTS.sale.code, password, textField("Coffee", 40));

  test("are shown with their numbers, questions and first answers among them", () => {
    const reader = newReader();
    const frames = [
      ...reader.read("out", Uint8Array.of(ENQ)),
      ...reader.read("out", QUESTION),
      ...reader.read("in", encodeNumbered(0)),
      ...reader.read("out", encodeNumbered(1, Uint8Array.of(REQUESTS.deviceType.code))),
      ...reader.read("in", encodeNumbered(1, join(REQUESTS.deviceType.code, 0x37))),
    ];
    expect(linesOf(frames)).toEqual([
      "ENQ",
      "question  what was your last answer?",
      "nothing answered yet #0",
      "FCh device type #1",
      "FCh device type #1  error 37h: This model does not have the command",
    ]);
  });

  test("hide a password whose bytes are written as two each, and the checksum", () => {
    const bytes = encodeNumbered(0x8f, sale);
    const reader = newReader();
    const [frame] = reader.read("out", bytes);
    const [echo] = reader.read("in", bytes);
    // Start, length, the number as two bytes and its high one, the code; then the password.
    const raw = Buffer.from(bytes).toString("hex");
    expect(frame?.hex).toStartWith(`${raw.slice(0, 14)}${"**".repeat(7)}436f66666565`);
    expect(frame?.hex).toEndWith("00****");
    expect([frame?.name, frame?.text]).toEqual(["80h sale #143", '"Coffee"']);
    expect([echo?.name, echo?.hex]).toEqual(["echo 80h sale #143", frame?.hex ?? ""]);
    const damaged = [...reader.read("in", bytes.subarray(1)), ...reader.read("in", bytes.slice(9))];
    expect(damaged.map(({ hex }) => hex.replaceAll("**", ""))).toEqual(damaged.map(() => ""));
  });

  test("are found around what is no frame", () => {
    const reader = newReader();
    const code = REQUESTS.deviceType.code;
    reader.read("out", encodeNumbered(7, Uint8Array.of(code)));
    const answer = encodeNumbered(7, join(code, 0, 1, 2, 3));
    const wrong = answer.with(-1, answer.at(-1) === 0 ? 1 : 0);
    const bytes = Buffer.of(0x7f, ...wrong, 0x7f, ...answer.subarray(0, 5), ...answer);
    expect(reader.read("in", bytes).map(({ name, byteCount }) => [name, byteCount])).toEqual([
      ["no frame", 1],
      ["wrong checksum", wrong.length],
      ["no frame", 1],
      ["no frame", 5],
      ["FCh device type #7", answer.length],
    ]);
  });
});

describe("what is no frame", () => {
  test("is masked whole with the frame that is sent beside it", () => {
    const body = join(REQUESTS.sale.code, SECRET_BYTES, textField("Coffee", 40));
    for (const bytes of [
      Buffer.of(0xff, ...encodeFrame(body)),
      Buffer.of(...encodeNumbered(1, body), ...SECRET_BYTES),
    ]) {
      const shownFrames = newReader().read("out", bytes);
      expect(shownFrames).toMatchObject([{ isDamaged: true, hex: "**".repeat(bytes.length) }]);
    }
  });

  test("is shown as damaged, the frames around it as what they are", () => {
    const reader = newReader();
    reader.read("out", request(REQUESTS.deviceType.code));
    const answer = request(REQUESTS.deviceType.code, 0, 1, 2, 3, 4, 5);
    const wrong = answer.with(-1, 0);
    const frames = reader.read("in", Buffer.of(0x7f, ...wrong, 0xff, ACK, 0x7f, ...answer));
    expect(frames.map(({ name, byteCount }) => [name, byteCount])).toEqual([
      ["no frame", 1],
      ["wrong checksum", wrong.length],
      ["no frame", 1],
      ["ACK", 1],
      ["no frame", 1],
      ["FCh device type", answer.length],
    ]);
  });

  test("is cut for display and counted, and a megabyte of it is not kept", () => {
    const reader = newReader();
    reader.read("out", request(REQUESTS.deviceType.code));
    const noise = new Uint8Array(1_048_576).fill(0x7f);
    const frames = reader.read("in", noise);
    expect(frames.reduce((sum, { byteCount }) => sum + byteCount, 0)).toBe(noise.length);
    expect(Math.max(...frames.map(({ hex }) => hex.length))).toBe(512);
  });
});
