/** The exchange with numbered frames: what silence, damage and other counts lead to. */

import { describe, expect, test } from "bun:test";
import { atRest, FakeEnvironment } from "../testing/fake-environment.ts";
import { memoryLinePair } from "../transport/memory.ts";
import { connectDevice } from "./connect.ts";
import { ENQ } from "./frame.ts";
import { encodeNumbered, NumberedDecoder, QUESTION } from "./numbered-frame.ts";
import { NumberedSession } from "./numbered-session.ts";
import { vectorOf } from "./testdata/vectors.ts";

const CLOSE = { body: Uint8Array.of(0x85, 1), answerMs: 30_000, isRead: false };
const STATUS = { body: Uint8Array.of(0x10, 1), answerMs: 3_000, isRead: true };
const CLOSED = Uint8Array.of(0x85, 0, 1);
const STATE = Uint8Array.of(0x10, 0, 1);
const TYPE = Uint8Array.of(0xfc, 0, 0);
/** The device's last number before the commands of a test. */
const LAST = 40;
const NUMBER = LAST + 1;

function setUp() {
  const [host, device] = memoryLinePair();
  const environment = new FakeEnvironment();
  const said: string[] = [];
  device.listen({
    data: (chunk) => said.push(hex(chunk)),
    closed() {},
  });
  const session = new NumberedSession(host, environment);
  const say = async (bytes: Uint8Array) => {
    device.write(bytes);
    await atRest();
  };
  const answer = (number: number, body?: Uint8Array) => say(encodeNumbered(number, body));
  return { session, environment, said, say, answer, device };
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const frameHex = (number: number, body: Uint8Array) => hex(encodeNumbered(number, body));
/** What a promise came to, without waiting for it. */
function outcomeOf(promise: Promise<Uint8Array>): Promise<unknown> {
  return promise.then(hex, (error: { code: string }) => error.code);
}

/** A session that knows the device's number, with a command on its way. */
async function sending(exchange: typeof CLOSE) {
  const rig = setUp();
  const outcome = outcomeOf(rig.session.exchange(exchange));
  await rig.answer(LAST, STATE);
  rig.said.length = 0;
  return { ...rig, outcome };
}

describe("an exchange with numbered frames", () => {
  test("asks for the number first, and sends the next one", async () => {
    const { session, said, answer } = setUp();
    const outcome = outcomeOf(session.exchange(CLOSE));
    await answer(LAST, STATE);
    await answer(NUMBER, CLOSED);
    expect(await outcome).toBe(hex(CLOSED));
    const second = outcomeOf(session.exchange(STATUS));
    await answer(NUMBER + 1, STATE);
    expect(await second).toBe(hex(STATE));
    expect(said).toEqual([
      hex(QUESTION),
      frameHex(NUMBER, CLOSE.body),
      frameHex(NUMBER + 1, STATUS.body),
    ]);
  });

  test("sends the identical frame again after silence, whatever it does", async () => {
    const { environment, said, answer, outcome } = await sending(CLOSE);
    await environment.advance(9_999);
    expect(said).toEqual([]);
    await environment.advance(1);
    await answer(NUMBER, CLOSED);
    expect(await outcome).toBe(hex(CLOSED));
    expect(said).toEqual([frameHex(NUMBER, CLOSE.body)]);
    expect(environment.timers).toBe(0);
  });

  test("sends it again at once after a damaged answer", async () => {
    const { say, said, answer, outcome } = await sending(CLOSE);
    const damaged = encodeNumbered(NUMBER, CLOSED);
    damaged[6] = (damaged[6] ?? 0) ^ 1;
    await say(damaged);
    expect(said).toEqual([frameHex(NUMBER, CLOSE.body)]);
    await answer(NUMBER, CLOSED);
    expect(await outcome).toBe(hex(CLOSED));
  });

  test("passes over a repeated answer to the command before", async () => {
    const { said, answer, outcome } = await sending(CLOSE);
    await answer(LAST, STATE);
    await answer(LAST, STATE);
    await answer(NUMBER, CLOSED);
    expect(await outcome).toBe(hex(CLOSED));
    expect(said).toEqual([]);
  });

  test("waits for as long as the command may take", async () => {
    const { environment, answer, outcome } = await sending(CLOSE);
    await environment.advance(29_000);
    await answer(NUMBER, CLOSED);
    expect(await outcome).toBe(hex(CLOSED));
    const silent = await sending(CLOSE);
    await silent.environment.advance(30_000);
    expect(await silent.outcome).toBe("E501");
    expect(silent.environment.timers).toBe(0);
  });

  test("leaves open what became of a command when the device counts anew", async () => {
    const { answer, said, outcome } = await sending(CLOSE);
    await answer(1);
    expect(await outcome).toBe("E501");
    expect(said).toEqual([]);
  });

  test("asks for the number again when a read is out of step", async () => {
    const { answer, said, outcome } = await sending(STATUS);
    await answer(1);
    expect(said).toEqual([hex(QUESTION)]);
    await answer(1);
    await answer(2, STATE);
    expect(await outcome).toBe(hex(STATE));
  });

  test("gives up on a device that is never in step", async () => {
    const { answer, outcome } = await sending(STATUS);
    for (let round = 0; round < 20; round += 1) await answer(100 + 10 * round, STATE);
    expect(await outcome).toBe("E501");
  });

  test("does not take another command's answer with our number, as a real device gave it", async () => {
    const { request, reply } = vectorOf("real_p2_out_of_sync_answer");
    const [asked] = new NumberedDecoder().push(request ?? new Uint8Array(0));
    if (asked?.kind !== "frame" || !reply) throw new RangeError("no frame");
    const { session, answer, said, say } = setUp();
    const outcome = outcomeOf(session.exchange({ ...STATUS, body: asked.body }));
    await answer(asked.number - 1, STATE);
    expect(said.at(-1)).toBe(hex(request ?? new Uint8Array(0)));
    await say(reply);
    expect(await outcome).toBe("E902");
  });

  test("never changes anything with a number that a device takes after a restart", async () => {
    const { session, answer, said } = setUp();
    const outcome = outcomeOf(session.exchange(CLOSE));
    await answer(0xffff, STATE);
    for (const number of [0, 1, 2]) await answer(number, TYPE);
    await answer(3, CLOSED);
    expect(await outcome).toBe(hex(CLOSED));
    const harmless = Uint8Array.of(0xfc);
    expect(said).toEqual([
      hex(QUESTION),
      ...[0, 1, 2].map((number) => frameHex(number, harmless)),
      frameHex(3, CLOSE.body),
    ]);
  });

  test("ends with the line, and refuses what fits in no frame", async () => {
    const { session, device, outcome, environment } = await sending(CLOSE);
    device.close();
    expect(await outcome).toBe("E102");
    expect(environment.timers).toBe(0);
    expect(await outcomeOf(session.exchange(STATUS))).toBe("E102");
    const long = setUp();
    expect(await outcomeOf(long.session.exchange({ ...CLOSE, body: new Uint8Array(256) }))).toBe(
      "E400",
    );
  });
});

describe("the frames of the maker's driver", () => {
  for (const name of ["p2_device_type", "p2_full_status", "p2_open_receipt_sale", "p2_subtotal"]) {
    test(name, async () => {
      const { request = new Uint8Array(0), reply = new Uint8Array(0) } = vectorOf(name);
      const [asked] = new NumberedDecoder().push(request);
      const [told] = new NumberedDecoder().push(reply);
      if (asked?.kind !== "frame" || told?.kind !== "frame") throw new RangeError("no frame");
      const { session, said, answer, say } = setUp();
      const outcome = outcomeOf(session.exchange({ ...CLOSE, body: asked.body, isRead: true }));
      await answer(asked.number - 1, STATE);
      await say(reply);
      expect(await outcome).toBe(hex(told.body));
      expect(said).toEqual([hex(QUESTION), hex(request)]);
    });
  }
});

describe("which lower level is spoken", () => {
  function listening(remembered?: string) {
    const [host, device] = memoryLinePair();
    const environment = new FakeEnvironment();
    if (remembered !== undefined) environment.remembered.set("lowerLevel", remembered);
    const said: string[] = [];
    device.listen({ data: (chunk) => said.push(hex(chunk)), closed() {} });
    const connecting = connectDevice(host, environment).then(
      () => "connected",
      (error: { code: string }) => error.code,
    );
    return { device, environment, said, connecting };
  }
  const enquiry = hex(Uint8Array.of(ENQ));

  test("the standard one comes first, and the other one where nothing answers", async () => {
    const { environment, said, connecting } = listening();
    await environment.advance(2_999);
    expect(said).toEqual([enquiry, enquiry, enquiry]);
    await environment.advance(3_001);
    expect(await connecting).toBe("E101");
    expect(said.slice(3)).toEqual([hex(QUESTION), hex(QUESTION), hex(QUESTION)]);
    expect(environment.timers).toBe(0);
  });

  test("the other one is not tried on a device that says anything", async () => {
    const { device, environment, said, connecting } = listening();
    device.write(Uint8Array.of(0x41));
    await environment.advance(10_000);
    expect(await connecting).toBe("E101");
    expect(said).not.toContain(hex(QUESTION));
  });

  test("where it answered before, it comes first", async () => {
    const { environment, said, connecting } = listening("numbered");
    await environment.advance(6_000);
    expect(await connecting).toBe("E101");
    expect(said[0]).toBe(hex(QUESTION));
    expect(said[3]).toBe(enquiry);
  });
});
