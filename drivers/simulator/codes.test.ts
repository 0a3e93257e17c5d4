import { describe, expect, test } from "bun:test";
import { barCode, eanCheckDigit, isCodeText } from "./bar-code.ts";
import { isBlack } from "./paper-dots.ts";
import type { Picture } from "./paper-line.ts";
import { QR_BYTES_MAX, qrCode } from "./qr-code.ts";

function rowOf(picture: Picture, y = 0): string {
  return Array.from({ length: picture.width }, (_, x) => (isBlack(picture, x, y) ? "#" : ".")).join(
    "",
  );
}

describe("a QR code", () => {
  // Read back with an independent decoder (jsQR 1.4.0) when this was written down.
  test("of a short text is the one that a reader reads", () => {
    const code = qrCode("FISCAL");
    expect(Array.from({ length: code.height }, (_, y) => rowOf(code, y))).toEqual(GOLDEN);
  });

  test("grows with its text, up to a version 10", () => {
    expect(qrCode("x".repeat(14)).width).toBe(21);
    expect(qrCode("x".repeat(15)).width).toBe(25);
    expect(qrCode("02577430*0000001*2024-03-15*14:00:00*12.00").width).toBe(29);
    expect(qrCode("x".repeat(QR_BYTES_MAX)).width).toBe(57);
    expect(() => qrCode("x".repeat(QR_BYTES_MAX + 1))).toThrow(RangeError);
    expect(() => qrCode("я".repeat(107))).toThrow(RangeError);
  });
});

describe("a bar code", () => {
  test("of EAN-13 has parity by its first digit", () => {
    // The specification's own way to write 5901234123457.
    const left = ["0001011", "0100111", "0110011", "0010011", "0111101", "0011101"];
    const right = ["1100110", "1101100", "1000010", "1011100", "1001110", "1000100"];
    expect(rowOf(barCode("ean13", "5901234123457"))).toBe(
      `101${left.join("")}01010${right.join("")}101`.replace(/./g, (bit) =>
        bit === "1" ? "#" : ".",
      ),
    );
  });

  test("of EAN-8, Code 128 and interleaved 2 of 5 has its modules", () => {
    expect(barCode("ean8", "96385074").width).toBe(67);
    // Start, seven characters, check character, stop.
    expect(barCode("code128", "Order-1").width).toBe(11 * 9 + 13);
    expect(rowOf(barCode("interleaved", "12"))).toStartWith("#.#.###.#...#.#.");
    expect(barCode("interleaved", "123").width).toBe(barCode("interleaved", "0123").width);
  });

  test("takes what the device takes", () => {
    expect(eanCheckDigit("590123412345")).toBe(7);
    expect(eanCheckDigit("9638507")).toBe(4);
    expect(isCodeText("ean13", "590123412345")).toBe(false);
    expect(isCodeText("ean8", "96385074")).toBe(true);
    expect(isCodeText("interleaved", "12a")).toBe(false);
    expect(isCodeText("code128", "тест")).toBe(false);
    expect(isCodeText("qr", "x".repeat(QR_BYTES_MAX + 1))).toBe(false);
  });
});

const GOLDEN = [
  "#######...##..#######",
  "#.....#....#..#.....#",
  "#.###.#.#...#.#.###.#",
  "#.###.#.##.##.#.###.#",
  "#.###.#.##.##.#.###.#",
  "#.....#.##..#.#.....#",
  "#######.#.#.#.#######",
  "........#####........",
  "#.#####..##.#.#####..",
  "###.##.#....#..#.....",
  "..#####.#.##.#..####.",
  "..###..#..#....####.#",
  "..#.#.#..###.#..####.",
  "........#..#####..#..",
  "#######.....#.##.#.#.",
  "#.....#.#..#####.##.#",
  "#.###.#.##..#...#.##.",
  "#.###.#.##..#..#..#..",
  "#.###.#.#..#.#...#...",
  "#.....#..........##..",
  "#######.##.#.#.#..##.",
];
