import { expect, test } from "bun:test";
import { readRawRequest } from "./raw-request.ts";

const PROTOCOL = { commandMin: 32, commandMax: 127, codePage: "windows-1251" } as const;
const bytesOf = (payload: unknown) => [...readRawRequest(payload, PROTOCOL).data];

test("a raw command has text, bytes or nothing", () => {
  expect(readRawRequest({ command: 74 }, PROTOCOL)).toEqual({
    command: 74,
    data: new Uint8Array(),
  });
  expect(bytesOf({ command: 74, data: "1А" })).toEqual([0x31, 0xc0]);
  expect(bytesOf({ command: 74, dataHex: "00fF" })).toEqual([0, 255]);
});

test.each<[string, unknown]>([
  ["from 32 to 127", undefined],
  ["from 32 to 127", { command: 31 }],
  ["from 32 to 127", { command: 128 }],
  ["from 32 to 127", { command: 74.5 }],
  ["expected text", { command: 74, data: 1 }],
  ["hexadecimal", { command: 74, dataHex: "0" }],
  ["hexadecimal", { command: 74, dataHex: "xx" }],
  ["not both", { command: 74, data: "", dataHex: "" }],
])("a raw command is refused (%s)", (message, payload) => {
  expect(() => readRawRequest(payload, PROTOCOL)).toThrow(message);
});
