import { beforeAll, describe, expect, test } from "bun:test";
import {
  prepareZXingModule,
  type ReadOutputBarcodeFormat,
  type ReadResult,
  readBarcodes,
} from "zxing-wasm/reader";
import zxing from "zxing-wasm/reader/zxing_reader.wasm" with { type: "file" };
import { codePicture, eanCheckDigit, isCodeText, QR_TEXT_MAX } from "./codes.ts";
import { isBlack, pictureOf, pngOf } from "./dots.ts";
import type { Picture, Symbology } from "./line.ts";

beforeAll(async () => {
  const wasmBinary = await Bun.file(zxing).arrayBuffer();
  prepareZXingModule({ overrides: { wasmBinary } });
});

const QUIET_MODULES = 10;
const MODULE_DOTS = 4;

/** What a reader that shares no code with the simulator reads off a code on white paper. */
async function read(picture: Picture): Promise<ReadResult[]> {
  const side = (modules: number) => (modules + 2 * QUIET_MODULES) * MODULE_DOTS;
  const module = (dot: number) => Math.floor(dot / MODULE_DOTS) - QUIET_MODULES;
  const paper = pictureOf(side(picture.width), side(picture.height), (x, y) =>
    isBlack(picture, module(x), module(y)),
  );
  return await readBarcodes(pngOf(paper, [0, 0, 0]));
}

function rowOf(picture: Picture, y = 0): string {
  return Array.from({ length: picture.width }, (_, x) => (isBlack(picture, x, y) ? "#" : ".")).join(
    "",
  );
}

const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

describe("a reader reads", () => {
  test.each<[Symbology, string, ReadOutputBarcodeFormat]>([
    ["ean8", "96385074", "EAN8"],
    ["ean13", "5901234123457", "EAN13"],
    ["ean13", "0012345678905", "EAN13"],
    ["interleaved", "0123", "ITF"],
    ["interleaved", "1234567890123456789012", "ITF"],
    ["code128", "Order-1", "Code128"],
    ["code128", "0123456789", "Code128"],
    ...[0, 31, 62].map((from): [Symbology, string, ReadOutputBarcodeFormat] => [
      "code128",
      PRINTABLE.slice(from, from + 31)
        .join("")
        .padEnd(3, "~"),
      "Code128",
    ]),
    ["qr", "FISCAL", "QRCode"],
    ["qr", "02577430*0000001*2024-03-15*14:00:00*12.00", "QRCode"],
    ["qr", PRINTABLE.join(""), "QRCode"],
    ["qr", "x".repeat(QR_TEXT_MAX), "QRCode"],
  ])("the %s code of %p", async (symbology, text, format) => {
    expect(isCodeText(symbology, text)).toBe(true);
    const codes = await read(codePicture(symbology, text));
    expect(codes.map((code) => ({ format: code.format, text: code.text }))).toEqual([
      { format, text },
    ]);
  });
});

describe("a QR code", () => {
  test("grows with its text, at error correction level M", async () => {
    const widthOf = (text: string) => codePicture("qr", text).width;
    expect(widthOf("x".repeat(14))).toBe(21);
    expect(widthOf("x".repeat(15))).toBe(25);
    expect(widthOf("02577430*0000001*2024-03-15*14:00:00*12.00")).toBe(29);
    expect(widthOf("x".repeat(QR_TEXT_MAX))).toBe(57);
    const [code] = await read(codePicture("qr", "FISCAL"));
    expect(code).toMatchObject({ ecLevel: "M", version: "1" });
  });

  test("has no white around it", () => {
    const code = codePicture("qr", "FISCAL");
    expect(rowOf(code)).toMatch(/^#######\..*\.#######$/);
    expect(rowOf(code, code.height - 1)).toMatch(/^#######\./);
  });
});

describe("a bar code", () => {
  test("of EAN-13 has parity by its first digit", () => {
    // The specification's own way to write 5901234123457.
    const left = ["0001011", "0100111", "0110011", "0010011", "0111101", "0011101"];
    const right = ["1100110", "1101100", "1000010", "1011100", "1001110", "1000100"];
    expect(rowOf(codePicture("ean13", "5901234123457"))).toBe(
      `101${left.join("")}01010${right.join("")}101`.replace(/./g, (bit) =>
        bit === "1" ? "#" : ".",
      ),
    );
  });

  test("of EAN-8, Code 128 and interleaved 2 of 5 has its modules", () => {
    expect(codePicture("ean8", "96385074").width).toBe(67);
    // Start, seven characters, check character, stop.
    expect(codePicture("code128", "Order-1").width).toBe(11 * 9 + 13);
    expect(rowOf(codePicture("interleaved", "12"))).toStartWith("#.#.###.#...#.#.");
  });

  test("of an odd number of digits begins with a nought", async () => {
    const [code] = await read(codePicture("interleaved", "12345"));
    expect(code?.text).toBe("012345");
  });

  test("of an EAN with a wrong check digit carries the right one", async () => {
    const [code] = await read(codePicture("ean13", "5901234123450"));
    expect(code?.text).toBe("5901234123457");
  });

  test("is as high as on paper, the same from top to bottom", () => {
    const code = codePicture("ean8", "96385074");
    expect(code.height).toBe(24);
    expect(new Set(Array.from({ length: 24 }, (_, y) => rowOf(code, y))).size).toBe(1);
  });

  test("takes what the device takes", () => {
    expect(eanCheckDigit("590123412345")).toBe(7);
    expect(eanCheckDigit("9638507")).toBe(4);
    expect(isCodeText("ean13", "590123412345")).toBe(false);
    expect(isCodeText("ean8", "96385074")).toBe(true);
    expect(isCodeText("interleaved", "12a")).toBe(false);
    expect(isCodeText("code128", "тест")).toBe(false);
    expect(isCodeText("qr", "x".repeat(QR_TEXT_MAX + 1))).toBe(false);
  });
});
