import { beforeEach, describe, expect, test } from "bun:test";
import { COMMAND_LIMITS_MS, WORKING_LIMITS_MS } from "../shared/command-timer.ts";
import { FrameNumbers } from "../shared/frame-numbers.ts";
import { atRest, FakeEnvironment } from "../testing/fake-environment.ts";
import { type MemoryLine, memoryLinePair } from "../transport/memory.ts";
import { BYTE_TIMEOUT_MS } from "./exchange-rules.ts";
import { encodeReply, NAK, RequestDecoder, type RequestFrame, SEQUENCE, SYN } from "./frame.ts";
import { IslSession, type SessionReply, type SessionRequest } from "./session.ts";

const READ = { command: 62, data: Buffer.from("") };
const STATUS = { command: 74, data: Buffer.from("") };
/** Is not sent again in doubt. */
const CASH: SessionRequest = {
  ...{ command: 70, data: Buffer.from("0\t5.00\t") },
  ...{ resend: "if_refused", question: STATUS },
};

/** The device's end of a line: keeps what it received, and answers only when the test says so. */
class ManualDevice {
  readonly received: RequestFrame[] = [];
  readonly raw: string[] = [];
  readonly #line: MemoryLine;

  constructor(line: MemoryLine) {
    this.#line = line;
    const decoder = new RequestDecoder("long");
    line.listen({
      data: (chunk) => {
        this.raw.push(Buffer.from(chunk).toString("hex"));
        for (const event of decoder.push(chunk)) {
          if (event.kind === "request") this.received.push(event);
        }
      },
      closed() {},
    });
  }

  /** Answers the last command; `changes` makes the answer a wrong one. */
  answer(text: string, changes: { seq?: number; command?: number; damaged?: boolean } = {}): void {
    const { seq = 0, command = 0 } = this.received.at(-1) ?? {};
    const bytes = encodeReply("long", {
      seq,
      command,
      data: Buffer.from(text),
      status: new Uint8Array(8).fill(0x80),
      ...changes,
    });
    if (changes.damaged) bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 1;
    this.#line.write(bytes);
  }

  send(...bytes: number[]): void {
    this.#line.write(Uint8Array.from(bytes));
  }

  drop(): void {
    this.#line.close();
  }
}

/** What became of a command so far. */
function watch(reply: Promise<SessionReply>): { text?: string; code?: string; resent?: boolean } {
  const seen: { text?: string; code?: string; resent?: boolean } = {};
  reply.then(
    ({ frame, resentInDoubt }) => {
      seen.text = Buffer.from(frame.data).toString();
      seen.resent = resentInDoubt;
    },
    (error) => {
      seen.code = error.code;
    },
  );
  return seen;
}

describe("a session", () => {
  let environment: FakeEnvironment;
  let device: ManualDevice;
  let session: IslSession;

  beforeEach(() => {
    environment = new FakeEnvironment();
    const [host, end] = memoryLinePair();
    device = new ManualDevice(end);
    const numbers = new FrameNumbers(environment, SEQUENCE);
    session = new IslSession(host, { generation: "long", numbers, environment });
  });

  /** The device says that it works, often enough. */
  async function workFor(ms: number): Promise<void> {
    for (let worked = 0; worked < ms; worked += 400) {
      device.send(SYN);
      await environment.advance(400);
    }
  }

  test("hands over an answer in the turn it arrives, and leaves no timer behind", async () => {
    const seen = watch(session.exchange(READ));
    await atRest();
    device.answer("0\tok\t");
    await atRest();
    expect(seen).toEqual({ text: "0\tok\t", resent: false });
    expect(environment.timers).toBe(0);
  });

  test("sends the identical frame again after silence, and says that it did", async () => {
    const seen = watch(session.exchange(READ));
    await environment.advance(BYTE_TIMEOUT_MS);
    expect(device.raw).toHaveLength(2);
    expect(device.raw[1]).toBe(device.raw[0] ?? "");
    device.answer("0\t");
    await atRest();
    expect(seen).toEqual({ text: "0\t", resent: true });
  });

  test("gives up with E501 after four times of silence, and is of no more use", async () => {
    const seen = watch(session.exchange(READ));
    await environment.advance(4 * BYTE_TIMEOUT_MS - 1);
    expect(seen).toEqual({});
    await environment.advance(1);
    expect(seen).toEqual({ code: "E501" });
    expect(device.raw).toHaveLength(4);
    expect(codeOf(await rejection(session.exchange(READ)))).toBe("E501");
  });

  test("sends nothing again after silence where that is forbidden and nothing may be asked", async () => {
    const seen = watch(session.exchange({ ...READ, resend: "if_refused" }));
    await environment.advance(BYTE_TIMEOUT_MS);
    expect(seen).toEqual({ code: "E501" });
    expect(device.raw).toHaveLength(1);
  });

  describe("with a command that is not sent again in doubt", () => {
    let seen: ReturnType<typeof watch>;
    const commands = () => device.received.map(({ command }) => command);
    beforeEach(async () => {
      seen = watch(session.exchange(CASH));
      await atRest();
    });

    test.each([BYTE_TIMEOUT_MS - 1, BYTE_TIMEOUT_MS, 3_000, COMMAND_LIMITS_MS.normal])(
      "takes its answer after %d ms, and lets that to the question be",
      async (ms) => {
        await environment.advance(ms);
        const asked = device.received.slice(1);
        expect(commands()).toEqual([70, ...asked.map(() => STATUS.command)]);
        expect(new Set(asked.map(({ seq }) => seq)).size).toBe(asked.length === 0 ? 0 : 1);
        device.answer("0\tcash\t", { seq: 0x20, command: 70 });
        await atRest();
        expect(seen).toEqual({ text: "0\tcash\t", resent: false });
        expect(environment.timers).toBe(0);
        const next = watch(session.exchange(READ));
        for (const { seq, command } of asked) device.answer("0\tstatus\t", { seq, command });
        await atRest();
        expect(next).toEqual({});
        device.answer("0\tok\t");
        await atRest();
        expect(next).toEqual({ text: "0\tok\t", resent: false });
      },
    );

    test("ends with E501 as soon as the question behind it is answered", async () => {
      await environment.advance(BYTE_TIMEOUT_MS);
      device.answer("0\tstatus\t");
      await atRest();
      expect(seen).toEqual({ code: "E501" });
    });

    test("puts the question again, each time after twice as long, and nothing else", async () => {
      for (const times of [1, 2, 4, 8]) {
        const before = device.raw.length;
        await environment.advance(times * BYTE_TIMEOUT_MS - 1);
        expect(device.raw).toHaveLength(before);
        await environment.advance(1);
        expect(device.raw).toHaveLength(before + 1);
      }
      expect(new Set(device.raw).size).toBe(2);
    });

    test("is sent again for a NAK, but not for one that may be meant for the question", async () => {
      device.send(NAK);
      await atRest();
      expect(commands()).toEqual([70, 70]);
      await environment.advance(BYTE_TIMEOUT_MS);
      device.send(NAK);
      await atRest();
      expect(commands()).toEqual([70, 70, STATUS.command]);
      expect(seen).toEqual({});
    });

    test("ends with E501 when nothing is heard for as long as it may take", async () => {
      await environment.advance(COMMAND_LIMITS_MS.normal + BYTE_TIMEOUT_MS - 1);
      expect(seen).toEqual({});
      await environment.advance(1);
      expect(seen).toEqual({ code: "E501" });
    });

    test("ends with E500 where the device says since the question that it works", async () => {
      await environment.advance(BYTE_TIMEOUT_MS);
      await workFor(WORKING_LIMITS_MS.normal - BYTE_TIMEOUT_MS);
      expect(seen).toEqual({});
      await workFor(2 * BYTE_TIMEOUT_MS);
      expect(commands()).toEqual([70, STATUS.command]);
      expect(seen).toEqual({ code: "E500" });
    });

    test("ends with E501 where it has said so, and nothing behind a further question", async () => {
      await environment.advance(BYTE_TIMEOUT_MS);
      device.send(SYN);
      await environment.advance(COMMAND_LIMITS_MS.normal);
      expect(seen).toEqual({ code: "E501" });
    });

    test("ends with E501 ten seconds behind the last time that it has said so", async () => {
      await workFor(30_000);
      expect(seen).toEqual({});
      await environment.advance(COMMAND_LIMITS_MS.normal);
      expect(seen).toEqual({ code: "E501" });
    });

    test("ends with E102 at once when the line is lost meanwhile", async () => {
      await environment.advance(BYTE_TIMEOUT_MS);
      device.drop();
      await atRest();
      expect(seen).toEqual({ code: "E102" });
      expect(environment.timers).toBe(0);
    });

    test("puts no question while the device says that it works", async () => {
      await workFor(COMMAND_LIMITS_MS.normal);
      expect(commands()).toEqual([70]);
    });
  });

  for (const [what, code, meet] of [
    ["silence", "E501", () => environment.advance(BYTE_TIMEOUT_MS)],
    ["a NAK", "E202", async () => device.send(NAK)],
    ["damage", "E202", async () => device.answer("0\t", { damaged: true })],
  ] as const) {
    test(`sends a command a single time, and stays of use after ${what}`, async () => {
      const lost = session.exchangeOnce(READ);
      await atRest();
      await meet();
      await atRest();
      expect(await lost).toMatchObject({ code });
      expect(device.raw).toHaveLength(1);
      const seen = watch(session.exchange(READ));
      await atRest();
      // The answer to the first one comes late.
      device.answer("0\tlate\t", { seq: 0x20 });
      device.answer("0\tok\t");
      await atRest();
      expect(seen).toEqual({ text: "0\tok\t", resent: false });
    });
  }

  test("sends a command a single time, and is of no more use when the line is lost", async () => {
    const lost = session.exchangeOnce(READ);
    await atRest();
    device.drop();
    expect(codeOf(await rejection(lost))).toBe("E102");
    expect(codeOf(await rejection(session.exchange(READ)))).toBe("E102");
  });

  test("sends again at once after a NAK, without doubt: the frame was not accepted", async () => {
    const seen = watch(session.exchange(READ));
    await atRest();
    device.send(NAK);
    await atRest();
    expect(device.raw).toHaveLength(2);
    device.answer("0\t");
    await atRest();
    expect(seen).toEqual({ text: "0\t", resent: false });
  });

  test("gives up with E202 when a frame is never accepted", async () => {
    const seen = watch(session.exchange(READ));
    for (let times = 0; times < 4; times += 1) {
      await atRest();
      device.send(NAK);
    }
    await atRest();
    expect(seen).toEqual({ code: "E202" });
  });

  test("asks for a damaged answer again with the same number", async () => {
    const seen = watch(session.exchange(READ));
    await atRest();
    device.answer("0\t", { damaged: true });
    await atRest();
    expect(device.received.map(({ seq }) => seq)).toEqual([0x20, 0x20]);
    device.answer("0\t");
    await atRest();
    expect(seen).toEqual({ text: "0\t", resent: true });
  });

  test("gives up with E202 when every answer is damaged", async () => {
    const seen = watch(session.exchange(READ));
    for (let times = 0; times < 4; times += 1) {
      await atRest();
      device.answer("0\t", { damaged: true });
    }
    await atRest();
    expect(seen).toEqual({ code: "E202" });
  });

  test("waits for a device that says it is busy, for a minute", async () => {
    const seen = watch(session.exchange(READ));
    await workFor(WORKING_LIMITS_MS.normal - BYTE_TIMEOUT_MS);
    expect(seen).toEqual({});
    expect(device.raw).toHaveLength(1);
    await workFor(2 * BYTE_TIMEOUT_MS);
    expect(seen).toEqual({ code: "E500" });
  });

  test("does not take noise without end for a sign of life without end", async () => {
    const seen = watch(session.exchange(READ));
    for (let ms = 0; ms <= COMMAND_LIMITS_MS.normal + 400; ms += 400) {
      device.send(0x7e);
      await environment.advance(400);
    }
    expect(seen).toEqual({ code: "E500" });
  });

  test("gives a Z report two minutes while the device says that it works", async () => {
    const seen = watch(session.exchange({ ...CASH, limit: "zReport" }));
    await workFor(WORKING_LIMITS_MS.zReport - 1_000);
    expect(seen).toEqual({});
    await workFor(2_000);
    expect(seen).toEqual({ code: "E500" });
  });

  test("discards answers to other commands", async () => {
    const seen = watch(session.exchange(READ));
    await atRest();
    device.answer("late", { seq: 0x55 });
    device.answer("other", { command: 49 });
    await atRest();
    expect(seen).toEqual({});
    device.answer("0\t");
    await atRest();
    expect(seen).toEqual({ text: "0\t", resent: false });
  });

  test("asks under another number when the device takes ours for that of its last command", async () => {
    const seen = watch(session.exchange({ ...READ, reads: true }));
    await atRest();
    device.answer("0\tstale\t", { command: 49 });
    await atRest();
    expect(device.received.map(({ seq, command }) => [seq, command])).toEqual([
      [0x20, 62],
      [0x21, 62],
    ]);
    device.answer("0\tok\t");
    await atRest();
    expect(seen).toEqual({ text: "0\tok\t", resent: false });
  });

  test("gives up with E203 when every number is the device's last one", async () => {
    const seen = watch(session.exchange({ ...READ, reads: true }));
    for (let times = 0; times < 4; times += 1) {
      await atRest();
      device.answer("0\tstale\t", { command: 49 });
    }
    await atRest();
    expect(seen).toEqual({ code: "E203" });
  });

  test("draws its numbers once a command, from 7Fh on to 20h", async () => {
    const [host, end] = memoryLinePair();
    device = new ManualDevice(end);
    const remembered = new Map();
    const drawn = [0x5f, 0, 2, 15];
    const numbers = new FrameNumbers({ random: () => drawn.shift() ?? 0, remembered }, SEQUENCE);
    numbers.spread(16);
    session = new IslSession(host, { generation: "long", numbers, environment });
    for (let times = 0; times < 3; times += 1) {
      const reply = session.exchange(READ);
      await atRest();
      device.answer("0\t");
      await reply;
    }
    expect(device.received.map(({ seq }) => seq)).toEqual([0x7f, 0x22, 0x32]);
  });

  test("fails with E102 when the line is lost, then and later", async () => {
    const seen = watch(session.exchange(READ));
    await atRest();
    device.drop();
    await atRest();
    expect(seen).toEqual({ code: "E102" });
    expect(environment.timers).toBe(0);
    expect(codeOf(await rejection(session.exchange(READ)))).toBe("E102");
  });

  test("fails a command under way with E102 when it is closed", async () => {
    const seen = watch(session.exchange(READ));
    session.close();
    await atRest();
    expect(seen).toEqual({ code: "E102" });
  });

  test("refuses data that is too long with E400 and stays usable", async () => {
    const long = { command: 42, data: new Uint8Array(1_000).fill(0x41) };
    expect(codeOf(await rejection(session.exchange(long)))).toBe("E400");
    const seen = watch(session.exchange(READ));
    await atRest();
    device.answer("0\t");
    await atRest();
    expect(seen.text).toBe("0\t");
  });
});

function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}
