/** That reasons which the gateway gives for the end of a connection have words of their own. */

import { expect, test } from "bun:test";
import type { Word } from "../../../words/words.tsx";
import { endWord } from "./end-words.ts";

const CASES: [string | null, Word][] = [
  ["E100: Cannot reach 127.0.0.1:3999: connection refused", "lineEnd.unreached"],
  ["E101: The device did not answer: timeout", "lineEnd.silent"],
  ["E102: The connection to the device was lost", "lineEnd.lost"],
  // The code counts, whatever the words behind it remind of.
  ["E102: The device closed the connection: timeout", "lineEnd.lost"],
  ["E501: Nothing came back, refused or lost", "lineEnd.silent"],
  ["E203: 00 1f is no frame", "lineEnd.noise"],
  ["E200: Something answers that is no fiscal printer", "lineEnd.stranger"],
  ["The device was taken from its controller", "lineEnd.takenAway"],
  ["The gateway was ended without notice", "lineEnd.boxOff"],
  ["The gateway was stopped", "lineEnd.boxOff"],
  ["Nothing was heard of the controller", "lineEnd.controller"],
  ["Something new", "lineEnd.unknown"],
  [null, "lineEnd.unknown"],
];

test.each(CASES)("%p is %s", (reason, word) => {
  expect(endWord(reason)).toBe(word);
});
