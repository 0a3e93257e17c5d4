/** The rules of an exchange at work: counters, repeats, and what a NACK can mean. */

import { describe, expect, test } from "bun:test";
import { atRest, FakeEnvironment } from "../testing/fake-environment.ts";
import { memoryLinePair } from "../transport/memory.ts";
import type { Profile } from "./compile-profile.ts";
import { ACK, encodeFrame, FrameDecoder, NACK } from "./frame.ts";
import { ProfileSet } from "./profile-set.ts";
import { CustomSession, type SessionRequest } from "./session.ts";

const SALE: SessionRequest = { body: "33011", effect: "repeatable", slow: false };
const CLOSE: SessionRequest = { body: "3011", effect: "once", slow: false };
const REPORT: SessionRequest = { body: "2002", effect: "once", slow: true };
const OPEN: SessionRequest = { body: "1016", effect: "reads", slow: false };

function gen3(): Profile {
  const profile = ProfileSet.of().initial?.profile;
  if (!profile) throw new Error("the built-in profile is faulty");
  return profile;
}

function setUp(rules: Partial<Profile> = {}) {
  const [host, device] = memoryLinePair();
  const environment = new FakeEnvironment();
  const said: string[] = [];
  const decoder = new FrameDecoder();
  device.listen({
    data(chunk) {
      for (const event of decoder.push(chunk)) {
        if (event.kind === "frame") said.push(`${event.counter}:${event.body}`);
        else said.push(event.kind);
      }
    },
    closed() {},
  });
  const session = new CustomSession(host, { ...gen3(), ...rules }, environment);
  const say = async (...bytes: readonly number[]) => {
    device.write(Uint8Array.from(bytes));
    await atRest();
  };
  const answer = (counter: number, body: string) => say(ACK, ...encodeFrame({ counter, body }));
  /** Brings the counter to 1. */
  const synchronize = async () => {
    const done = session.exchange(OPEN);
    await answer(0, "1016000");
    expect(await done).toBe("1016000");
    said.length = 0;
  };
  return { session, environment, said, say, answer, synchronize, device };
}

/** What a promise came to, without waiting for it. */
function outcomeOf(promise: Promise<string>): Promise<string> {
  return promise.then(
    (answer) => answer,
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );
}

describe("counters", () => {
  test("begin with 0, which only a question may have, and go up with each command", async () => {
    const { session, said, answer } = setUp();
    expect(session.isAtSync).toBe(true);
    expect(await outcomeOf(session.exchange(CLOSE))).toBe("only a question may have counter 0");
    for (const counter of [0, 1, 2]) {
      const done = session.exchange(OPEN);
      await answer(counter, "1016000");
      await done;
    }
    expect(said.filter((one) => one !== "ack")).toEqual(["0:1016", "1:1016", "2:1016"]);
  });

  test("come back to 0 after 99", async () => {
    const { session, answer } = setUp();
    for (let counter = 0; counter < 100; counter += 1) {
      const done = session.exchange(OPEN);
      await answer(counter, "1016000");
      await done;
    }
    expect(session.isAtSync).toBe(true);
  });
});

describe("a frame", () => {
  test("that is refused goes out again unchanged, three times in all", async () => {
    const { session, said, say, synchronize } = setUp();
    await synchronize();
    const outcome = outcomeOf(session.exchange(CLOSE));
    for (let round = 0; round < 3; round += 1) await say(NACK);
    expect(await outcome).toBe("E202");
    expect(said.filter((one) => one === "1:3011")).toHaveLength(3);
  });

  test("that is not answered at all goes out again once, with the same counter", async () => {
    const { session, environment, said, answer, synchronize } = setUp();
    await synchronize();
    const outcome = outcomeOf(session.exchange(SALE));
    await environment.advance(1_000);
    await answer(1, "3301");
    expect(await outcome).toBe("3301");
    expect(said).toEqual(["1:33011", "1:33011", "ack"]);
  });

  test("that is refused when it was sent again after silence may have been carried out", async () => {
    const { session, environment, said, say, synchronize } = setUp();
    await synchronize();
    const outcome = outcomeOf(session.exchange(SALE));
    await environment.advance(1_000);
    await say(NACK);
    expect(await outcome).toBe("E202");
    expect(said.filter((one) => one.endsWith("33011"))).toHaveLength(2);
    // It is not sent under another counter, and nothing else is sent on this line.
    expect(await outcomeOf(session.exchange(OPEN))).toBe("E202");
  });

  test("that may happen only once is not sent again after silence, and is waited for", async () => {
    const { session, environment, said, answer, synchronize } = setUp();
    await synchronize();
    const outcome = outcomeOf(session.exchange(CLOSE));
    await environment.advance(1_000 + 4_999);
    await answer(1, "3011");
    expect(await outcome).toBe("3011");
    expect(said).toEqual(["1:3011", "ack"]);
    expect(environment.timers).toBe(0);
  });

  test.each([
    ["a closing", "acknowledged", { request: CLOSE, signs: [], ms: 1_000 + 5_000 }],
    ["a closing", "answered", { request: CLOSE, signs: [ACK], ms: 5_000 + 5_000 }],
    ["a report", "acknowledged", { request: REPORT, signs: [], ms: 1_000 + 5_000 }],
    ["a report", "answered", { request: REPORT, signs: [ACK], ms: 60_000 + 5_000 }],
  ])(
    "that may happen only once, %s, is in doubt when it is not %s with an answer's time more",
    async (...[, , { request, signs, ms }]) => {
      const { session, environment, said, say, synchronize } = setUp();
      await synchronize();
      const outcome = outcomeOf(session.exchange(request));
      await say(...signs);
      await environment.advance(ms - 1);
      expect(await Promise.race([outcome, atRest().then(() => "waits")])).toBe("waits");
      await environment.advance(1);
      expect(await outcome).toBe("E501");
      expect(said.filter((one) => one !== "ack")).toEqual([`1:${request.body}`]);
    },
  );

  test("of a report that is acknowledged late has the whole time of one for its answer", async () => {
    const { session, environment, say, synchronize } = setUp();
    await synchronize();
    const outcome = outcomeOf(session.exchange(REPORT));
    await environment.advance(1_000 + 4_000);
    await say(ACK);
    await environment.advance(59_000);
    await say(...encodeFrame({ counter: 1, body: "2002" }));
    expect(await outcome).toBe("2002");
  });

  test("that may happen only once is sent again for a NACK that comes late", async () => {
    const { session, environment, said, say, answer, synchronize } = setUp();
    await synchronize();
    const outcome = outcomeOf(session.exchange(CLOSE));
    await environment.advance(2_000);
    await say(NACK);
    await answer(1, "3011");
    expect(await outcome).toBe("3011");
    expect(said.filter((one) => one === "1:3011")).toHaveLength(2);
  });

  test("that was acknowledged is not sent again, whatever becomes of the answer", async () => {
    const { session, environment, said, say, synchronize } = setUp();
    await synchronize();
    const outcome = outcomeOf(session.exchange(SALE));
    await say(ACK);
    await environment.advance(5_000);
    expect(await outcome).toBe("E501");
    expect(said).toEqual(["1:33011", "ack"]);
  });

  test("whose answer is damaged is in doubt", async () => {
    const { session, say, synchronize } = setUp();
    await synchronize();
    const outcome = outcomeOf(session.exchange(SALE));
    const broken = encodeFrame({ counter: 1, body: "3301" });
    broken[5] = 0x39;
    await say(ACK, ...broken);
    expect(await outcome).toBe("E202");
  });
});

describe("a refusal that comes late", () => {
  test("to a copy of the frame before says nothing of the one on the line", async () => {
    const { session, environment, said, say, answer, synchronize } = setUp();
    await synchronize();
    const sale = session.exchange(SALE);
    await environment.advance(1_000);
    await answer(1, "3301");
    expect(await sale).toBe("3301");
    said.length = 0;
    const close = outcomeOf(session.exchange(CLOSE));
    await say(NACK);
    await answer(2, "3011");
    expect(await close).toBe("3011");
    expect(said.filter((one) => one !== "ack")).toEqual(["2:3011"]);
    // Once that is answered nothing is due any more: the next refusal is believed.
    const again = outcomeOf(session.exchange(CLOSE));
    await say(NACK);
    await answer(3, "3011");
    expect(await again).toBe("3011");
    expect(said.filter((one) => one === "3:3011")).toHaveLength(2);
  });
});

describe.each([
  ["behind the answer, in one piece with it", true],
  ["between two commands", false],
])("a refusal of a copy that comes %s", (_, isOnePiece) => {
  test("is not due any more for the next command", async () => {
    const { session, environment, said, say, answer, synchronize } = setUp();
    await synchronize();
    const sale = session.exchange(SALE);
    await environment.advance(1_000);
    const answered = [ACK, ...encodeFrame({ counter: 1, body: "3301" })];
    await say(...answered, ...(isOnePiece ? [NACK] : []));
    expect(await sale).toBe("3301");
    if (!isOnePiece) await say(NACK);
    said.length = 0;
    const close = outcomeOf(session.exchange(CLOSE));
    await say(NACK);
    await answer(2, "3011");
    expect(await close).toBe("3011");
    expect(said.filter((one) => one === "2:3011")).toHaveLength(2);
  });
});

describe("a question", () => {
  test("that is asked anew leaves no answer over for the next command", async () => {
    const { session, environment, say, answer } = setUp();
    const question = outcomeOf(session.exchange(OPEN));
    await say(ACK);
    await environment.advance(5_000);
    // The late answer to the first asking, then those to the second: busy.
    await say(...encodeFrame({ counter: 0, body: "1016000" }));
    await answer(1, "ERR98");
    expect(await question).toBe("ERR98");
    const close = outcomeOf(session.exchange(CLOSE));
    await answer(2, "3011");
    expect(await close).toBe("3011");
  });

  test("is not asked anew where answers do not say what they belong to", async () => {
    const { session, environment, said, say } = setUp({ echoLength: 0 });
    const outcome = outcomeOf(session.exchange(OPEN));
    await say(...encodeFrame({ counter: 0, body: "late" }));
    await say(ACK);
    await environment.advance(5_000);
    expect(await outcome).toBe("E501");
    expect(said).toEqual(["0:1016", "ack"]);
  });

  test("is asked anew under the next counter when its answer is lost", async () => {
    const { session, environment, said, say, answer } = setUp();
    const outcome = outcomeOf(session.exchange(OPEN));
    await say(ACK);
    await environment.advance(5_000);
    await answer(1, "1016100");
    expect(await outcome).toBe("1016100");
    expect(said).toEqual(["0:1016", "ack", "1:1016", "ack"]);
  });

  test("is given up after three askings", async () => {
    const { session, environment, said, say } = setUp();
    const outcome = outcomeOf(session.exchange(OPEN));
    for (let round = 0; round < 3; round += 1) {
      await say(ACK);
      await environment.advance(5_000);
    }
    expect(await outcome).toBe("E501");
    expect(said.filter((one) => one !== "ack")).toEqual(["0:1016", "1:1016", "2:1016"]);
  });
});

describe("an answer", () => {
  test("to another command, or a refusal before the acknowledgement, is not ours", async () => {
    const { session, say, answer, synchronize } = setUp();
    await synchronize();
    const outcome = outcomeOf(session.exchange(SALE));
    await say(...encodeFrame({ counter: 0, body: "ERR16" }));
    await answer(1, "1016000");
    await say(...encodeFrame({ counter: 1, body: "3301" }));
    expect(await outcome).toBe("3301");
  });

  test("that is a refusal is told as it is", async () => {
    const { session, answer, synchronize } = setUp();
    await synchronize();
    const outcome = outcomeOf(session.exchange(SALE));
    await answer(1, "ERR16");
    expect(await outcome).toBe("ERR16");
  });

  test("without a frame ends with silence, or where it is whole", async () => {
    const { session, environment, say } = setUp();
    const text = [...Buffer.from("1016000")];
    const patient = outcomeOf(session.exchange(OPEN));
    await say(ACK, ...text.slice(0, 5));
    await environment.advance(100);
    await say(...text.slice(5));
    await environment.advance(200);
    expect(await patient).toBe("1016000");
    const isWhole = (body: string) => body.length === 7;
    const quick = outcomeOf(session.exchange({ ...OPEN, isWhole }));
    await say(ACK, ...text);
    expect(await quick).toBe("1016000");
  });

  test("without a frame is damaged where it is longer than the format's bodies", async () => {
    const { session, environment, say, synchronize } = setUp({
      format: { ...gen3().format, bodyBytesMax: 20 },
    });
    await synchronize();
    const outcome = outcomeOf(session.exchange({ ...SALE, isWhole: () => true }));
    await say(ACK, ...Buffer.from(`33011${"1".repeat(30)}`));
    await environment.advance(200);
    expect(await outcome).toBe("E203");
  });

  test("of endless noise ends with the limit of the command", async () => {
    const { session, environment, say, synchronize } = setUp();
    await synchronize();
    const outcome = outcomeOf(session.exchange(CLOSE));
    await say(ACK);
    for (let round = 0; round < 400; round += 1) {
      await say(0x41);
      await environment.advance(100);
    }
    expect(await outcome).toBe("E500");
    expect(environment.timers).toBe(0);
  });

  test.each([
    ["afterAckNack", 1],
    ["afterReply", 1],
    ["both", 2],
    ["never", 0],
  ] as const)("is acknowledged as the profile says: %s", async (hostAck, times) => {
    const { session, said, answer } = setUp({ hostAck });
    const done = session.exchange(OPEN);
    await answer(0, "1016000");
    await done;
    await atRest();
    expect(said.filter((one) => one === "ack")).toHaveLength(times);
  });
});

describe("a session", () => {
  test("is over when its line is gone", async () => {
    const { session, device } = setUp();
    const outcome = outcomeOf(session.exchange(OPEN));
    device.close();
    expect(await outcome).toBe("E102");
    expect(await outcomeOf(session.exchange(OPEN))).toBe("E102");
  });
});
