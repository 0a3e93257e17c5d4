/**
 * The text language of devices in XON/XOFF mode: what a command says, as the numbered commands that
 * amount to the same. There is no official description; the words are those of public drivers.
 * UNCONFIRMED as a whole.
 */

import { parseScaled } from "#core/money.ts";

/** What was said before the letter that ends a command. */
export interface Said {
  readonly text: string;
  /** `n*`, in thousandths; undefined when not said. */
  readonly quantityMilli: number | undefined;
  /** `nH`, in cents; undefined when not said. */
  readonly valueMinor: number | undefined;
  /** What stands right before the letter. */
  readonly number: string;
}

export interface TextCommand extends Said {
  readonly letter: string;
}

const PIECE_MAX = 256;
const QUOTE = '"';
const FIRST_PRINTABLE = " ";
const NOTHING_SAID: Said = {
  text: "",
  quantityMilli: undefined,
  valueMinor: undefined,
  number: "",
};

/** Cuts what a host sends into commands; keeps at most one that is not whole. */
export class TextCommandDecoder {
  #said: Said = NOTHING_SAID;
  #inQuotes = false;

  push(chunk: Uint8Array): TextCommand[] {
    return [...chunk].flatMap((byte) => this.#take(String.fromCharCode(byte)));
  }

  #take(letter: string): TextCommand[] {
    const said = this.#said;
    if (letter === QUOTE) {
      this.#inQuotes = !this.#inQuotes;
      if (this.#inQuotes) this.#said = { ...said, text: "" };
    } else if (this.#inQuotes) {
      this.#said = { ...said, text: (said.text + letter).slice(0, PIECE_MAX) };
    } else if (/[\d.]/.test(letter)) {
      this.#said = { ...said, number: (said.number + letter).slice(0, PIECE_MAX) };
    } else if (letter === "*") {
      this.#said = { ...said, quantityMilli: parseScaled(said.number, 3), number: "" };
    } else if (letter === "H") {
      this.#said = { ...said, valueMinor: parseScaled(said.number, 0), number: "" };
    } else if (letter > FIRST_PRINTABLE) {
      this.#said = NOTHING_SAID;
      return [{ ...said, letter }];
    }
    return [];
  }
}

const TENDER_CODES: Readonly<Record<string, string>> = {
  "1": "01",
  "2": "02",
  "3": "03",
  "4": "06",
  "5": "05",
};
/** Letter and number of what changes a line, with the type of line that does the same. */
const CHANGES: Readonly<Record<string, string>> = { "1": "C", "3": "3", "5": "B", "7": "2" };
/** A percentage has two decimals, and the number of what it does follows without a gap. */
const PERCENT = /^(\d{1,3}\.\d\d)([1256])$/;
const ORIGINAL = /^(\d{4})-(\d{4})-(\d\d)-(\d\d)-(\d\d)-(.{9,11})$/;
const LAST_LINE = { quantity: "000000000", department: "001" } as const;

/**
 * The numbered command that a text command amounts to; undefined for what there is none for.
 * A payment names 3007, whose answer says whether the receipt is to be closed.
 */
export function translate(command: TextCommand): string | undefined {
  const { letter, number, text, quantityMilli = 1_000, valueMinor } = command;
  switch (letter) {
    case "R":
      if (valueMinor === undefined) return undefined;
      return [
        "33011",
        filled(quantityMilli, 9),
        number.padStart(3, "0"),
        counted(text),
        filled(valueMinor, 9),
        "00",
      ].join("");
    case "T": {
      const code = TENDER_CODES[number];
      return code && `3007${code}01${counted(text)}${filled(valueMinor ?? 0, 9)}`;
    }
    case "M":
      return modifier(command);
    case "=":
      return "3003";
    case "k":
      return `33018${LAST_LINE.quantity}${LAST_LINE.department}00${filled(0, 9)}00`;
    case "a":
      return "70081";
    case "j":
      return "40011";
    case "@":
      return `40031${counted(text)}`;
    case "J":
      return "4004";
    case "f":
      return number === "1" ? "2003" : undefined;
    case "F":
      return number === "1" || number === "8" ? "2002" : undefined;
    default:
      return undefined;
  }
}

function modifier({ number, text, valueMinor }: TextCommand): string | undefined {
  const percent = PERCENT.exec(number);
  const what = percent?.[2] ?? number;
  const amount = percent ? parseScaled(percent[1] ?? "", 2) : valueMinor;
  if (what === "0") return lineOf("5", "", 0);
  if (what === "104") {
    const [, z, receipt, day, month, year, serial = ""] = ORIGINAL.exec(text) ?? [];
    return z && `7101R${z}${receipt}${day}${month}${year}8${counted(serial)}`;
  }
  if (amount === undefined) return undefined;
  if (what === "10" || what === "11") return `7106${what === "10" ? "D" : "P"}${filled(amount, 9)}`;
  const type = CHANGES[what];
  return type && lineOf(type, text, amount);
}

function lineOf(type: string, text: string, amount: number): string {
  const { quantity, department } = LAST_LINE;
  return `3301${type}${quantity}${department}${counted(text)}${filled(amount, 9)}00`;
}

function counted(text: string): string {
  return `${filled(text.length, 2)}${text}`;
}

function filled(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
