import { describe, expect, test } from "bun:test";
import {
  ACK,
  DATA_BYTES_MAX,
  encodeAck,
  encodeData,
  encodeRequest,
  LF,
  ReplyDecoder,
  type ReplyEvent,
  RequestDecoder,
  STX,
} from "./frame.ts";
import { VECTORS, vectorOf } from "./testdata/vectors.ts";

const FRAMED = VECTORS.flatMap(({ parts, request, name }) =>
  parts ? [{ name, request, parts }] : [],
);
const ANSWERED = VECTORS.flatMap(({ parts, reply, name }) =>
  parts && reply ? [{ name, reply, nbl: parts.nbl }] : [],
);

function bytesOf(name: string): Uint8Array {
  const { reply } = vectorOf(name);
  if (!reply) throw new RangeError(`${name} has no answer`);
  return reply;
}

function kinds(events: readonly ReplyEvent[]): string[] {
  return events.map((event) => event.kind);
}

/** The answer as the bytes it came from. */
function encodeReply(event: ReplyEvent): Uint8Array {
  if (event.kind === "ack") return encodeAck(event);
  if (event.kind === "data") return encodeData(event);
  throw new RangeError(`${event.kind} is no frame`);
}

describe("golden frames", () => {
  test("are all there", () => {
    expect(VECTORS).toHaveLength(118);
    expect(FRAMED.length).toBeGreaterThan(100);
  });

  for (const { name, request, parts } of FRAMED) {
    test(`${name} is written and read byte for byte`, () => {
      expect(encodeRequest(parts)).toEqual(request);
      expect(new RequestDecoder().push(request)).toEqual([{ kind: "request", ...parts }]);
    });
  }

  for (const { name, reply, nbl } of ANSWERED) {
    test(`the answer of ${name} is read and written byte for byte`, () => {
      const frame = new ReplyDecoder().push(reply).find(({ kind }) => kind !== "nack");
      expect(frame).toMatchObject({ nbl });
      if (!frame) return;
      expect(Buffer.from(reply).includes(Buffer.from(encodeReply(frame)))).toBe(true);
    });
  }

  for (const name of VECTORS.filter(({ parts }) => !parts).map((vector) => vector.name)) {
    test(`${name} is a single byte both ways`, () => {
      const { request, reply } = vectorOf(name);
      expect(new RequestDecoder().push(request)).toHaveLength(1);
      const isPing = request[0] === 0x09;
      expect(new ReplyDecoder().push(reply ?? new Uint8Array())).toEqual(
        isPing ? [{ kind: "ping", state: reply?.[0] ?? 0 }] : [],
      );
    });
  }
});

describe("answers", () => {
  const cases = ["js_curinfo", "vendor_v_status", "js_detstatus", "js_close"];

  for (const name of cases) {
    test(`of ${name} are found wherever they are split`, () => {
      const reply = bytesOf(name);
      const [whole] = new ReplyDecoder().push(reply);
      for (let at = 1; at < reply.length; at += 1) {
        const decoder = new ReplyDecoder();
        expect(decoder.push(reply.subarray(0, at))).toEqual([]);
        expect(decoder.push(reply.subarray(at))).toEqual(whole ? [whole] : []);
      }
    });

    test(`of ${name} with any one byte changed are none, and the next one is found`, () => {
      const reply = bytesOf(name);
      for (let at = 0; at < reply.length; at += 1) {
        const bad = reply.slice();
        bad[at] = (bad[at] ?? 0) ^ 0x01;
        const events = new ReplyDecoder().push(bad);
        expect(kinds(events)).not.toContain("data");
        expect(kinds(events)).not.toContain("ack");
      }
    });
  }

  test("of every length come through, also where LEN is a byte that begins or ends others", () => {
    for (let length = 0; length <= 251; length += 1) {
      const frame = { nbl: 0x21, command: 0x6d, data: new Uint8Array(length).fill(0x31) };
      const events = new ReplyDecoder().push(encodeData(frame));
      expect([length, events]).toEqual([length, [{ kind: "data", ...frame }]]);
    }
  });

  test("are found behind one that was cut off after its first byte", () => {
    for (const name of ["js_close", "js_lastqr"]) {
      const whole = new ReplyDecoder().push(bytesOf(name));
      const chunk = Buffer.concat([Uint8Array.of(0x02), bytesOf(name), bytesOf("js_close")]);
      const events = new ReplyDecoder().push(chunk);
      expect(kinds(events)).toEqual(["garbled", ...kinds(whole), "ack"]);
    }
  });

  test("come two in a chunk", () => {
    const chunk = Buffer.concat([bytesOf("js_close"), bytesOf("js_lastqr")]);
    expect(kinds(new ReplyDecoder().push(chunk))).toEqual(["ack", "data"]);
  });

  test("are found behind noise, a busy sign and a refusal to read", () => {
    const chunk = Buffer.concat([Uint8Array.of(0x00, 0xff, 0x0e, 0x15, 0x7e), bytesOf("js_close")]);
    expect(kinds(new ReplyDecoder().push(chunk))).toEqual(["busy", "nack", "ack"]);
  });

  test("cut short give way to the next one", () => {
    const cut = bytesOf("js_curinfo").slice(0, 20);
    const events = new ReplyDecoder().push(Buffer.concat([cut, bytesOf("js_close")]));
    expect(kinds(events)).toEqual(["garbled", "ack"]);
  });

  test("with a wrong checksum are told apart from those with a wrong length", () => {
    const reply = bytesOf("js_lastqr");
    const sum = reply.slice();
    sum[sum.length - 2] = (sum.at(-2) ?? 0) ^ 0x01;
    expect(new ReplyDecoder().push(sum)).toEqual([{ kind: "garbled", reason: "checksum" }]);
    const length = reply.slice();
    length[1] = (length[1] ?? 0) + 1;
    expect(new ReplyDecoder().push(length)).toEqual([{ kind: "garbled", reason: "framing" }]);
  });

  test("longer than LEN can count are told by their end", () => {
    const data = new Uint8Array(251).fill(0x31);
    const bytes = encodeData({ nbl: 0x20, command: 0x6d, data });
    expect(new ReplyDecoder().push(bytes)).toMatchObject([{ kind: "data", data }]);
  });

  test("without an end are given up at their limit", () => {
    const endless = Uint8Array.of(STX, ...new Uint8Array(2_000).fill(0x31));
    expect(kinds(new ReplyDecoder().push(endless))).toEqual(["garbled"]);
    const long = Uint8Array.of(ACK, ...new Uint8Array(20).fill(0x31));
    expect(kinds(new ReplyDecoder().push(long))).toEqual(["garbled"]);
  });

  test("are found after a megabyte of noise, of which nothing is kept", () => {
    const decoder = new ReplyDecoder();
    let seed = 1;
    const noise = new Uint8Array(1_048_576).map(() => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return seed >> 16;
    });
    decoder.push(noise);
    decoder.push(new Uint8Array(1_048_576).fill(STX));
    expect(kinds(decoder.push(bytesOf("js_close"))).at(-1)).toBe("ack");
  });
});

describe("requests", () => {
  test("take the most data that fits, and refuse one byte more with E400", () => {
    const data = new Uint8Array(DATA_BYTES_MAX).fill(0x41);
    const frame = { nbl: 0x9f, command: 0x37, data };
    expect(new RequestDecoder().push(encodeRequest(frame))).toEqual([
      { kind: "request", ...frame },
    ]);
    const over = { ...frame, data: new Uint8Array(DATA_BYTES_MAX + 1) };
    expect(() => encodeRequest(over)).toThrow(expect.objectContaining({ code: "E400" }));
  });

  test("are found wherever they are split, and damage is told", () => {
    const { request } = vectorOf("js_storno_err");
    for (let at = 1; at < request.length; at += 1) {
      const decoder = new RequestDecoder();
      expect(decoder.push(request.subarray(0, at))).toEqual([]);
      expect(decoder.push(request.subarray(at))).toHaveLength(1);
    }
    const bad = request.slice();
    bad[10] = (bad[10] ?? 0) ^ 0x01;
    expect(new RequestDecoder().push(bad)).toEqual([{ kind: "garbled" }]);
  });

  test("of impossible length or number are damage at once", () => {
    expect(new RequestDecoder().push(Uint8Array.of(STX, 0x21))).toEqual([{ kind: "garbled" }]);
    const bytes = encodeRequest({ nbl: 0xa0, command: 0x20, data: new Uint8Array() });
    expect(new RequestDecoder().push(bytes)).toEqual([{ kind: "garbled" }]);
    expect(bytes.at(-1)).toBe(LF);
  });
});
