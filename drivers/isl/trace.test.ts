import { describe, expect, test } from "bun:test";
import type { TracedFrame } from "#core/device/trace.ts";
import { encodeText } from "../shared/codepage.ts";
import { inWords, linesOf } from "../testing/in-words.ts";
import type { IslDialect } from "./dialect.ts";
import { VENDOR_A, VENDOR_B, VENDOR_C, VENDOR_D } from "./dialects/index.ts";
import { encodeReply, encodeRequest, type Generation, STATUS_BYTES } from "./frame.ts";
import { fillTemplate, templateNames } from "./template.ts";
import { VECTORS, vectorOf } from "./testdata/vectors.ts";
import { islFrameReaders } from "./trace.ts";

const SECRET = "739164";
const SECRET_HEX = Buffer.from(SECRET).toString("hex");
const NOTHING = new Uint8Array();
const USN = "DT000600-0001-0001001";

const readerOf = (dialects: readonly IslDialect[]) => inWords(islFrameReaders(dialects)());
const newReader = () => readerOf(VENDOR_A);

function request(generation: Generation, command: number, data: string): Uint8Array {
  return encodeRequest(generation, { seq: 0x2c, command, data: encodeText(data, "windows-1251") });
}

function reply(generation: Generation, command: number, data: string): Uint8Array {
  const status = new Uint8Array(STATUS_BYTES[generation]).fill(0x80);
  return encodeReply(generation, { seq: 0x2c, command, data: Buffer.from(data), status });
}

function expectNoSecret(frames: readonly TracedFrame[]): void {
  const all = JSON.stringify(frames);
  expect(all).not.toContain(SECRET);
  expect(all).not.toContain(SECRET_HEX);
}

describe("golden frames", () => {
  test("are shown with the command's name, its data and what the device says", () => {
    const reader = newReader();
    const { request: question, reply: answer } = vectorOf("datecs-x-device-info-open#2");
    expect(linesOf(reader.read("out", question))).toEqual([
      '255 print columns #22h  "PrintColumns⇥⇥⇥"',
    ]);
    const [frame] = reader.read("in", answer);
    expect(frame).toEqual({
      direction: "in",
      name: "255 print columns #22h",
      text: '"0⇥48⇥"  status 80808080869a8080',
      hex: Buffer.from(answer).toString("hex"),
      byteCount: answer.length,
      isDamaged: false,
    });
  });

  test("are all found, whole, however they are cut", () => {
    for (const { name, request: question, reply: answer, variant } of VECTORS) {
      if (!variant.startsWith("datecs") || answer.length === 0) continue;
      const whole = newReader();
      const [asked] = whole.read("out", question);
      const answered = whole.read("in", answer);
      expect(asked?.isDamaged).toBe(false);
      expect(answered.reduce((sum, { byteCount }) => sum + byteCount, 0)).toBe(answer.length);
      expect(answered.some(({ isDamaged }) => isDamaged)).toBe(name.endsWith("bad-bcc"));
      const cut = newReader();
      cut.read("out", question);
      const pieces = [...answer].flatMap((byte) => cut.read("in", Uint8Array.of(byte)));
      expect(pieces).toEqual(answered);
    }
  });

  test("tell errors by number, by letter and by status", () => {
    const reader = newReader();
    reader.read("out", request("long", 48, `1\t${SECRET}\t${USN}\t1\t\t`));
    expect(linesOf(reader.read("in", reply("long", 48, "-102002\t")))).toEqual([
      '48 open sale #2Ch  "-102002⇥"  error -102002: wrong operator password  status 8080808080808080',
    ]);
    const status = Uint8Array.of(0x80, 0x82, 0x81, 0x80, 0x80, 0x80);
    const refused = { seq: 0x2c, command: 48, data: Buffer.from("F"), status };
    reader.read("out", request("short", 48, `1,${SECRET},1,${USN}`));
    expect(linesOf(reader.read("in", encodeReply("short", refused)))).toEqual([
      '48 open sale #2Ch  "F"  status 808281808080  not permitted now, no paper',
    ]);
  });

  test("tell the numbers of devices that put them into the status", () => {
    const reader = readerOf(VENDOR_B);
    const status = Uint8Array.of(0x80, 0x80, 0x80, 0x80 + 28, 0x80, 0x80);
    reader.read("out", request("short", 70, "-5.00"));
    const answer = encodeReply("short", { seq: 0x2c, command: 70, data: Buffer.from("F"), status });
    expect(linesOf(reader.read("in", answer))[0]).toContain("error 28: not enough cash");
  });
});

describe("the name of a request", () => {
  test.each([
    ["0\t0.00\t", "70 cash read #2Ch"],
    ["0\t5.00\t", "70 cash in #2Ch"],
    ["1\t5.00\t", "70 cash out #2Ch"],
  ])("follows from its data %p", (data, name) => {
    expect(newReader().read("out", request("long", 70, data))[0]?.name).toBe(name);
  });

  test("is unknown where no dialect explains it, and its data is not shown", () => {
    const reader = newReader();
    const frames = [
      ...reader.read("out", request("long", 255, `OperPasw\t1\t${SECRET}\t`)),
      ...reader.read("in", reply("long", 255, `0\t${SECRET}\t`)),
      ...reader.read("out", request("short", 112, "1")),
      ...reader.read("in", reply("short", 112, `0,0,0,0,Ann,${SECRET}`)),
    ];
    expect(linesOf(frames)).toEqual([
      '255 unknown #2Ch  "****"',
      '255 unknown #2Ch  "****"  status 8080808080808080',
      '112 unknown #2Ch  "****"',
      '112 unknown #2Ch  "****"  status 808080808080',
    ]);
    expectNoSecret(frames);
  });
});

describe("operator passwords", () => {
  test("are masked in every request that any dialect has for them, checksum and all", () => {
    let count = 0;
    for (const dialects of [VENDOR_A, VENDOR_B, VENDOR_C, VENDOR_D]) {
      for (const { generation, codePage, actions } of dialects) {
        for (const { command, request: template } of Object.values(actions)) {
          const names = templateNames(template);
          if (!names.includes("password") && !names.includes("newPassword")) continue;
          const values = Object.fromEntries(names.map((name) => [name, "1"]));
          const filled = { ...values, usn: USN, password: SECRET, newPassword: SECRET };
          const data = encodeText(fillTemplate(template, filled), codePage);
          const bytes = encodeRequest(generation, { seq: 0x2c, command, data });
          const frames = readerOf(dialects).read("out", bytes);
          expectNoSecret(frames);
          expect(Buffer.from(bytes).toString("hex")).toContain(SECRET_HEX);
          expect(frames[0]?.text).toContain("****");
          // Four bytes of checksum and the terminator.
          expect(frames[0]?.hex).toEndWith("05********03");
          expect(frames[0]?.name).not.toContain("unknown");
          count += 1;
        }
      }
    }
    expect(count).toBeGreaterThan(20);
  });

  test.each([
    ["in the place of the sale number", VENDOR_D, `1,${SECRET},0`],
    ["in a name", VENDOR_C, SECRET],
    ["with other separators", VENDOR_A, `1;${SECRET};1`],
    ["alone", VENDOR_A, SECRET],
    ["before the operator", VENDOR_A, `${SECRET},1,1,${USN}`],
  ])("are masked %s, where somebody wrote the data by hand", (_where, dialects, data) => {
    const command = dialects === VENDOR_C ? 144 : 48;
    const frames = readerOf(dialects).read("out", request("short", command, data));
    expectNoSecret(frames);
    expect(frames[0]?.text).toBe('"****"');
  });

  test("are masked in an echo and in what is damaged while one is on the line", () => {
    const bytes = request("short", 48, `1,${SECRET},1,${USN}`);
    const reader = newReader();
    const frames = [
      ...reader.read("out", bytes),
      ...reader.read("in", bytes),
      ...reader.read("in", bytes.subarray(0, 16)),
      ...reader.read("in", bytes.subarray(5)),
      ...reader.rest(),
    ];
    expect(frames.length).toBeGreaterThan(2);
    expectNoSecret(frames);
    const unreadable = reader.read("out", Uint8Array.of(0, ...Buffer.from(SECRET)));
    expect(unreadable[0]).toMatchObject({ isDamaged: true, hex: "**".repeat(7) });
  });
});

describe("an answer behind a question that was put because it is late", () => {
  /** Another number than that of the command. */
  const questionOf = (generation: Generation) =>
    encodeRequest(generation, { seq: 0x2d, command: 74, data: NOTHING });

  test("is shown as that of its command, and so is the one to the question", () => {
    const reader = newReader();
    reader.read("out", request("long", 70, "0\t5.00\t"));
    reader.read("out", questionOf("long"));
    reader.read("out", questionOf("long"));
    const status = new Uint8Array(8).fill(0x80);
    const frames = [
      ...reader.read("in", reply("long", 70, "0\t5.00\t")),
      // The next command goes out, to which the answer of the question is none.
      ...reader.read("out", encodeRequest("long", { seq: 0x2e, command: 62, data: NOTHING })),
      ...reader.read(
        "in",
        encodeReply("long", { seq: 0x2d, command: 74, data: Buffer.from("0\t"), status }),
      ),
    ];
    expect(linesOf(frames)).toEqual([
      '70 cash in #2Ch  "0⇥5.00⇥"  status 8080808080808080',
      "62 get clock #2Eh",
      '74 status #2Dh  "0⇥"  status 8080808080808080',
    ]);
  });

  test.each([
    ["damaged", (answer: Uint8Array) => answer.with(-2, 0x30)],
    ["cut short", (answer: Uint8Array) => answer.subarray(0, -4)],
    ["whole", (answer: Uint8Array) => answer],
  ])("is masked, %s, where the command's is", (_how, received) => {
    const reader = newReader();
    reader.read("out", request("long", 255, `OperPasw\t1\t${SECRET}\t`));
    reader.read("out", questionOf("long"));
    const answer = received(reply("long", 255, `0\t${SECRET}\t`));
    const frames = [...reader.read("in", answer), ...reader.rest()];
    expect(frames).toHaveLength(1);
    expectNoSecret(frames);
  });
});

describe("what is no frame", () => {
  test("is shown as damaged, the frames around it as what they are", () => {
    const reader = newReader();
    reader.read("out", request("long", 74, ""));
    const answer = reply("long", 74, "0\t");
    const wrong = answer.with(-2, 0x30);
    const frames = reader.read("in", Buffer.of(...wrong, 0x16, 9, 9, 0x15, ...answer));
    expect(frames.map(({ name, isDamaged, byteCount }) => [name, isDamaged, byteCount])).toEqual([
      ["wrong checksum", true, wrong.length],
      ["SYN", false, 1],
      ["no frame", true, 2],
      ["NAK", false, 1],
      ["74 status #2Ch", false, answer.length],
    ]);
  });

  test("is cut for display and counted, and a megabyte of it is not kept", () => {
    const reader = newReader();
    reader.read("out", request("long", 74, ""));
    const noise = new Uint8Array(1_048_576).fill(0xff);
    const frames = reader.read("in", noise);
    expect(frames.reduce((sum, { byteCount }) => sum + byteCount, 0)).toBe(noise.length);
    expect(Math.max(...frames.map(({ hex }) => hex.length))).toBe(512);
  });

  test("is told at the end of the line when a frame was cut short", () => {
    const reader = newReader();
    reader.read("out", request("long", 74, ""));
    expect(reader.read("in", reply("long", 74, "0\t").subarray(0, 12))).toEqual([]);
    expect(reader.rest()[0]).toMatchObject({ name: "cut short", byteCount: 12, isDamaged: true });
  });
});
