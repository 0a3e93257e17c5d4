/** The exchange: what silence, damage and answers of before lead to. */

import { describe, expect, test } from "bun:test";
import { atRest, FakeEnvironment } from "../testing/fake-environment.ts";
import { memoryLinePair } from "../transport/memory.ts";
import { ACK, ENQ, encodeFrame, NAK } from "./frame.ts";
import { ShtrihSession } from "./session.ts";

const CLOSE = { body: Uint8Array.of(0x85, 1), answerMs: 1_000, isRead: false };
const STATUS = { body: Uint8Array.of(0x10, 1), answerMs: 1_000, isRead: true };
const CLOSED = Uint8Array.of(0x85, 0, 1);
const STATE = Uint8Array.of(0x10, 0, 1);

function setUp() {
  const [host, device] = memoryLinePair();
  const environment = new FakeEnvironment();
  const said: string[] = [];
  device.listen({
    data: (chunk) => said.push(Buffer.from(chunk).toString("hex")),
    closed() {},
  });
  const session = new ShtrihSession(host, environment);
  const say = async (...bytes: readonly number[]) => {
    device.write(Uint8Array.from(bytes));
    await atRest();
  };
  return { session, environment, said, say, device };
}

const hex = (...bytes: readonly number[]) => Buffer.from(bytes).toString("hex");
const frameHex = (body: Uint8Array) => hex(...encodeFrame(body));
/** What a promise came to, without waiting for it. */
function outcomeOf(promise: Promise<Uint8Array>): Promise<unknown> {
  return promise.then(
    (answer) => hex(...answer),
    (error: { code: string }) => error.code,
  );
}

describe("an exchange", () => {
  test("reads an answer of before, and does not take it for its own", async () => {
    const { session, say, said } = setUp();
    const outcome = outcomeOf(session.exchange(CLOSE));
    await say(ACK, ...encodeFrame(STATE));
    await say(NAK);
    await say(ACK, ...encodeFrame(CLOSED));
    expect(await outcome).toBe(hex(...CLOSED));
    expect(said).toEqual([hex(ENQ), hex(ACK), hex(ENQ), frameHex(CLOSE.body), hex(ACK)]);
  });

  test.each([4_500, 9_999])("takes an answer to what it may not repeat %d ms late", async (ms) => {
    const { session, environment, say, said } = setUp();
    const outcome = outcomeOf(session.exchange(CLOSE));
    await say(NAK);
    await environment.advance(ms);
    await say(ACK, ...encodeFrame(CLOSED));
    expect(await outcome).toBe(hex(...CLOSED));
    expect(said.filter((one) => one === frameHex(CLOSE.body))).toHaveLength(1);
    expect(said.filter((one) => one === hex(ENQ)).length).toBeLessThanOrEqual(1 + 5);
    expect(environment.timers).toBe(0);
  });

  test("asks no longer than that what became of it", async () => {
    const { session, environment, say } = setUp();
    const outcome = outcomeOf(session.exchange(CLOSE));
    await say(NAK);
    await environment.advance(10_000);
    expect(await outcome).toBe("E501");
  });

  test("finds a lost answer by ENQ, without sending the command again", async () => {
    const { session, environment, say, said } = setUp();
    const outcome = outcomeOf(session.exchange(CLOSE));
    await say(NAK);
    await environment.advance(1_000);
    await say(ACK, ...encodeFrame(CLOSED));
    expect(await outcome).toBe(hex(...CLOSED));
    expect(said).toEqual([hex(ENQ), frameHex(CLOSE.body), hex(ENQ), hex(ACK)]);
  });

  test("asks after 3 s for an answer that was lost behind its ACK", async () => {
    const { session, environment, say, said } = setUp();
    const outcome = outcomeOf(session.exchange({ ...CLOSE, answerMs: 30_000 }));
    await say(NAK);
    await say(ACK);
    await environment.advance(3_000);
    expect(said.at(-1)).toBe(hex(ENQ));
    await say(ACK, ...encodeFrame(CLOSED));
    expect(await outcome).toBe(hex(...CLOSED));
    expect(said.filter((bytes) => bytes === frameHex(CLOSE.body))).toHaveLength(1);
  });

  test("waits for as long as the command may take for a device that is deaf meanwhile", async () => {
    const { session, environment, say, said } = setUp();
    const outcome = outcomeOf(session.exchange({ ...CLOSE, answerMs: 30_000 }));
    await say(NAK);
    await say(ACK);
    await environment.advance(25_000);
    await say(...encodeFrame(CLOSED));
    expect(await outcome).toBe(hex(...CLOSED));
    expect(said.filter((bytes) => bytes === frameHex(CLOSE.body))).toHaveLength(1);
  });

  test("leaves open what became of a command that the device holds no answer to", async () => {
    const { session, environment, say, said } = setUp();
    const outcome = outcomeOf(session.exchange(CLOSE));
    await say(NAK);
    await environment.advance(1_000);
    await say(NAK);
    expect(await outcome).toBe("E501");
    expect(said.filter((bytes) => bytes === frameHex(CLOSE.body))).toHaveLength(1);
    expect(await outcomeOf(session.exchange(STATUS))).toBe("E501");
  });

  test("sends a read again that the device holds no answer to", async () => {
    const { session, environment, say, said } = setUp();
    const outcome = outcomeOf(session.exchange(STATUS));
    await say(NAK);
    await environment.advance(1_000);
    await say(NAK);
    await say(ACK, ...encodeFrame(STATE));
    expect(await outcome).toBe(hex(...STATE));
    expect(said.filter((bytes) => bytes === frameHex(STATUS.body))).toHaveLength(2);
  });

  test("does not take the late answer to an ENQ for a refusal of its command", async () => {
    const { session, environment, say, said } = setUp();
    const outcome = outcomeOf(session.exchange(CLOSE));
    await environment.advance(1_000);
    // Both ENQs are answered at last, the second one after the command went out.
    await say(NAK);
    await say(NAK);
    await say(ACK, ...encodeFrame(CLOSED));
    expect(await outcome).toBe(hex(...CLOSED));
    expect(said.filter((bytes) => bytes === frameHex(CLOSE.body))).toHaveLength(1);
  });

  test("counts the signs that are due, so that a late answer hides no other's refusal", async () => {
    const { session, environment, say, said } = setUp();
    const reading = outcomeOf(session.exchange(STATUS));
    await say(NAK);
    await environment.advance(1_000);
    await say(ACK, ...encodeFrame(STATE));
    expect(await reading).toBe(hex(...STATE));

    const outcome = outcomeOf(session.exchange(CLOSE));
    // To the ENQ that asked for the state, which the device had told by then: it comes again.
    await say(ACK, ...encodeFrame(STATE));
    // To the two ENQs since; the second NAK comes when the command is out already.
    await say(NAK);
    await say(NAK);
    await say(ACK, ...encodeFrame(CLOSED));
    expect(await outcome).toBe(hex(...CLOSED));
    expect(said.filter((bytes) => bytes === frameHex(CLOSE.body))).toHaveLength(1);
  });

  test("forgets what came in while no sign was due", async () => {
    const { session, say, said } = setUp();
    await say(NAK, NAK, 0x02);
    const outcome = outcomeOf(session.exchange(CLOSE));
    await say(NAK);
    await say(ACK, ...encodeFrame(CLOSED));
    expect(await outcome).toBe(hex(...CLOSED));
    expect(said.filter((bytes) => bytes === frameHex(CLOSE.body))).toHaveLength(1);
  });

  test("does not take a NAK of noise for a refusal, in this exchange and in those behind", async () => {
    const { session, say, said } = setUp();
    const outcome = outcomeOf(session.exchange(CLOSE));
    await say(NAK, NAK);
    await say(ACK, ...encodeFrame(CLOSED));
    expect(await outcome).toBe(hex(...CLOSED));
    expect(said).toEqual([hex(ENQ), frameHex(CLOSE.body), hex(ENQ), hex(ACK)]);

    const next = outcomeOf(session.exchange(CLOSE));
    // To the ENQ of before, which asked for an answer that was told by then, and to the one of now.
    await say(NAK);
    await say(NAK);
    await say(ACK, ...encodeFrame(CLOSED));
    expect(await next).toBe(hex(...CLOSED));
    expect(said.slice(4)).toEqual([hex(ENQ), frameHex(CLOSE.body), hex(ACK)]);
  });

  test("sends nothing again while the sign of the first may still come, however many NAKs did", async () => {
    const { session, environment, say, said } = setUp();
    const outcome = outcomeOf(session.exchange(CLOSE));
    await say(NAK, NAK);
    await say(NAK, NAK);
    await environment.advance(900);
    await say(ACK, ...encodeFrame(CLOSED));
    expect(await outcome).toBe(hex(...CLOSED));
    expect(said).toEqual([hex(ENQ), frameHex(CLOSE.body), hex(ENQ), hex(ACK)]);
  });

  test("sends a command again that the device refuses by NAK, and says so to ENQ", async () => {
    const { session, environment, say, said } = setUp();
    const outcome = outcomeOf(session.exchange(CLOSE));
    await say(NAK);
    await say(NAK);
    await say(NAK);
    await environment.advance(1_000);
    await say(ACK, ...encodeFrame(CLOSED));
    expect(await outcome).toBe(hex(...CLOSED));
    const frame = frameHex(CLOSE.body);
    expect(said).toEqual([hex(ENQ), frame, hex(ENQ), frame, hex(ACK)]);
  });

  test("fails when the answer is another command's", async () => {
    const { session, say } = setUp();
    const outcome = outcomeOf(session.exchange(CLOSE));
    await say(NAK);
    await say(ACK, ...encodeFrame(STATE));
    expect(await outcome).toBe("E902");
  });

  test("asks for an answer that broke off", async () => {
    const { session, environment, say } = setUp();
    const outcome = outcomeOf(session.exchange(CLOSE));
    await say(NAK);
    await say(ACK, ...encodeFrame(CLOSED).subarray(0, 3));
    await environment.advance(1_000);
    await say(ACK, ...encodeFrame(CLOSED));
    expect(await outcome).toBe(hex(...CLOSED));
  });

  test("gives up on a silent device and on one that talks without end", async () => {
    const silent = setUp();
    const outcome = outcomeOf(silent.session.exchange(CLOSE));
    await silent.environment.advance(3_000);
    expect(await outcome).toBe("E501");
    expect(silent.environment.timers).toBe(0);
    const noisy = setUp();
    const other = outcomeOf(noisy.session.exchange(CLOSE));
    for (let round = 0; round < 40; round += 1) {
      await noisy.say(0x41);
      await noisy.environment.advance(500);
    }
    expect(["E500", "E203"]).toContain(String(await other));
  });

  test("ends with the line", async () => {
    const { session, device, environment } = setUp();
    const outcome = outcomeOf(session.exchange(CLOSE));
    device.close();
    expect(await outcome).toBe("E102");
    expect(environment.timers).toBe(0);
  });
});
