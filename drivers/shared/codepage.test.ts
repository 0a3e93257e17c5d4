import { describe, expect, test } from "bun:test";
import { decodeText, encodeText, requireLetters, toPrintable } from "./codepage.ts";

describe("text for a device", () => {
  test("is windows-1251 in Bulgaria", () => {
    expect(encodeText("Хляб А", "windows-1251")).toEqual(
      new Uint8Array([0xd5, 0xeb, 0xff, 0xe1, 0x20, 0xc0]),
    );
    expect(decodeText(Uint8Array.of(0xd5, 0xeb, 0xff, 0xe1), "windows-1251")).toBe("Хляб");
  });

  test("is in plain letters in Romania, whichever way the letters were written", () => {
    const ascii = (text: string) => Buffer.from(encodeText(text, "ascii")).toString();
    expect(ascii("Brânză cu ceapă, șuncă și țuică")).toBe("Branza cu ceapa, sunca si tuica");
    expect(ascii("ŞŢĂÎÂ şţ")).toBe("STAIA st");
    expect(ascii("„Ana” – 5 €")).toBe('"Ana" - 5 EUR');
    expect(ascii("日本 Чай")).toBe("?? ???");
  });

  test("has plain letters for those that the code page lacks, and else a question mark", () => {
    const text = encodeText("Brânză? și ý日 Чай", "windows-1251");
    expect(decodeText(text, "windows-1251")).toBe("Branza? si y? Чай");
  });

  test("is the same for letters that are written in parts", () => {
    for (const codePage of ["windows-1251", "ascii"] as const) {
      for (const text of ["Чай зелен", "ѝ ѓ ё", "Brânză"]) {
        const parts = text.normalize("NFD");
        expect(parts).not.toBe(text);
        expect(encodeText(parts, codePage)).toEqual(encodeText(text, codePage));
        expect(toPrintable(parts)).toBe(text);
      }
    }
    expect(decodeText(encodeText("Чай".normalize("NFD"), "windows-1251"), "windows-1251")).toBe(
      "Чай",
    );
  });

  test("has the bare letter of its alphabet for one with a mark that the code page lacks", () => {
    expect(decodeText(encodeText("Каза ѝ", "windows-1251"), "windows-1251")).toBe("Каза и");
  });

  test("has one question mark for a letter, however many parts it has", () => {
    for (const codePage of ["windows-1251", "ascii"] as const) {
      const marks = Buffer.from(encodeText("가 tea", codePage)).toString();
      expect(marks).toBe("? tea");
    }
  });

  test("that stays on it is refused by the letters that it lacks", () => {
    const refuse = (text: string, codePage: "windows-1251" | "ascii") => () =>
      requireLetters("header.0", text, codePage);
    const lacks = (letters: string) => `header.0: this device has no letter for ${letters}`;
    expect(refuse("Чай зелен, €5 … „Brânză“?", "windows-1251")).not.toThrow();
    expect(refuse("Чаи\u0306", "windows-1251")).not.toThrow();
    expect(refuse("Tea\tBrânză, 5 € …?", "ascii")).not.toThrow();
    expect(refuse("Чай ай tea", "ascii")).toThrow(lacks("Ч, а, й"));
    expect(refuse("日 \u200d 🍷", "windows-1251")).toThrow(lacks("日, U+200D, 🍷"));
    expect(refuse("абвгдежзийклм", "ascii")).toThrow(
      `${lacks("а, б, в, г, д, е, ж, з, и, й")}, ...`,
    );
  });

  test("has blanks for control characters", () => {
    expect(toPrintable("a\tb\r\nc\u0001\u007f")).toBe("a b c ");
  });
});
