import { describe, expect, test } from "bun:test";
import { FiscalError } from "#core/errors.ts";
import { rejection } from "#src/platform/testing/rejection.ts";
import { memoryLinePair } from "../transport/memory.ts";
import { LineTurn, lineLost } from "./line-turn.ts";

const LOST = new FiscalError("E102", "lost");

function turnOf() {
  const sent: string[] = [];
  const [line, device] = memoryLinePair();
  const told: string[] = [];
  const turn = new LineTurn<string, string>(line, () => told.push("timers stop"));
  const take = (command: string) =>
    turn.take(
      () => command,
      (text) => sent.push(text),
    );
  return { turn, sent, take, device, told };
}

describe("the turn on a line", () => {
  test("is one command's until it is answered", async () => {
    const { turn, sent, take } = turnOf();
    const first = take("a");
    expect(turn.command).toBe("a");
    expect((await rejection(take("b"))).message).toContain("a command is on the line already");
    turn.answer("A");
    expect(turn.command).toBeUndefined();
    expect(await first).toBe("A");
    const next = take("c");
    turn.answer("C");
    expect(await next).toBe("C");
    expect(sent).toEqual(["a", "c"]);
  });

  test("is not taken by what cannot be sent", async () => {
    const { turn, sent, take } = turnOf();
    const faulty = turn.take(
      () => {
        throw new FiscalError("E400", "too long");
      },
      (text) => sent.push(text),
    );
    expect(await rejection(faulty)).toMatchObject({ code: "E400" });
    expect(turn.fault).toBeUndefined();
    const next = take("a");
    turn.answer("A");
    expect(await next).toBe("A");
  });

  test("ends with the line, and is not given again", async () => {
    const { turn, sent, take } = turnOf();
    const waiting = take("a");
    turn.break(LOST);
    turn.break(new FiscalError("E500", "later"));
    expect(await rejection(waiting)).toBe(LOST);
    expect(await rejection(take("b"))).toBe(LOST);
    expect(sent).toEqual(["a"]);
  });

  test("stops what the protocol waits for, however it ends", async () => {
    const { turn, take, told } = turnOf();
    const answered = take("a");
    turn.answer("A");
    expect(await answered).toBe("A");
    expect(told.splice(0)).toEqual(["timers stop"]);
    const waiting = take("b");
    turn.close();
    expect(await rejection(waiting)).toMatchObject({
      code: "E102",
      message: "The session was closed",
    });
    expect(told).toEqual(["timers stop"]);
  });

  test("is heard with what came before, and ends where the device hangs up", async () => {
    const { turn, take, device, told } = turnOf();
    device.write(Uint8Array.of(6));
    await Promise.resolve();
    turn.listen((chunk) => told.push(`heard ${chunk}`));
    expect(told).toEqual(["heard 6"]);
    const waiting = take("a");
    device.close();
    expect(await rejection(waiting)).toMatchObject({ code: "E102" });
    expect(turn.fault).toMatchObject({ code: "E102" });
  });

  test("is given again after a fault that only said that nobody answered", async () => {
    const { turn, take } = turnOf();
    turn.break(LOST);
    turn.mend();
    const next = take("b");
    turn.answer("B");
    expect(await next).toBe("B");
  });
});

test("a lost line is told with the fault of the transport, or as E102", () => {
  expect(lineLost(LOST)).toBe(LOST);
  expect(lineLost(new Error("reset"))).toMatchObject({ code: "E102" });
});
