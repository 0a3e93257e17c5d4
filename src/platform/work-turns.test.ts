import { expect, test } from "bun:test";
import { nextWorkTurn } from "./work-turns.ts";

test("of long work there is one piece in a turn, whoever does it, and all go on alike", async () => {
  const PIECES = 3;
  let turn = 0;
  const done: { readonly worker: string; readonly turn: number }[] = [];
  const work = async (worker: string): Promise<void> => {
    for (let piece = 0; piece < PIECES; piece++) {
      await nextWorkTurn();
      done.push({ worker, turn });
    }
  };
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(["a", "b", "c", "d"].map(work));
  isOver = true;
  const turns = done.map((piece) => piece.turn);
  expect(new Set(turns).size).toBe(turns.length);
  expect(done.map(({ worker }) => worker).join("")).toBe("abcdabcdabcd");
});
