/**
 * Logos, which come in pieces and count from the next Z report on.
 * Source: CUSTOM protocol manual for fiscal devices, rev. 6.00.
 */

import { bitmapRows } from "../../simulator/paper/dots.ts";
import { type DeviceCommand, Refused, zeroFilled } from "./device-command.ts";
import { ERROR } from "./error-codes.ts";

/** Slot of the logo above the header, which is the one that the paper shows. */
const HEADER_SLOT = 1;
const SLOTS = 11;
/** What a picture as wide as the paper and a hand high takes, and more. */
const PICTURE_BYTES_MAX = 65_536;
const PICTURE_WIDTH_MAX = 608;
const HEX_PIECE_MAX = 50;
const BMP_WIDTH_AT = 18;
const BMP_HEADER_BYTES = 26;
/** The setting that holds the picture of a slot, in hexadecimal. */
const PICTURE = "logo";
/** The setting that says whether the picture of the header waits for the next Z report. */
const WAITS = "logoWaits";

/** 9100: `slot2 size6`. */
export function beginLogo(command: DeviceCommand): string {
  const slot = command.fields.number(2);
  const size = command.fields.number(6);
  command.fields.end();
  if (slot < 1 || slot > SLOTS || size < 1 || size > PICTURE_BYTES_MAX) {
    throw new Refused(ERROR.value);
  }
  command.volatile.logo = { slot, size, hex: "" };
  return "";
}

/**
 * 9101: `n2 hex`. What n counts is ambiguous in the manual, so bytes and characters both do.
 * @returns the bytes that have come so far
 */
export function continueLogo(command: DeviceCommand): string {
  const { logo } = command.volatile;
  if (!logo) throw new Refused(ERROR.notNow);
  const count = command.fields.number(2);
  const hex = command.fields.rest();
  if (hex.length > HEX_PIECE_MAX || (hex.length !== count && hex.length !== 2 * count)) {
    throw new Refused(ERROR.length);
  }
  if (!/^([0-9A-Fa-f]{2})+$/.test(hex)) throw new Refused(ERROR.value);
  if (logo.hex.length + hex.length > 2 * logo.size) throw new Refused(ERROR.length);
  logo.hex += hex;
  return zeroFilled(logo.hex.length / 2, 6);
}

/** 9102: the picture must be whole, and as wide as it can be printed. */
export function endLogo(command: DeviceCommand): string {
  command.fields.end();
  const { memory, volatile } = command;
  const { logo } = volatile;
  if (!logo) throw new Refused(ERROR.notNow);
  volatile.logo = undefined;
  const picture = Buffer.from(logo.hex, "hex");
  const isBmp = picture.length >= BMP_HEADER_BYTES && picture.toString("latin1", 0, 2) === "BM";
  if (picture.length !== logo.size || !isBmp) throw new Refused(ERROR.value);
  const width = picture.readInt32LE(BMP_WIDTH_AT);
  if (width < 1 || width > PICTURE_WIDTH_MAX) throw new Refused(ERROR.value);
  memory.commit({ entry: "setting", name: `${PICTURE}${logo.slot}`, value: logo.hex });
  if (logo.slot === HEADER_SLOT) memory.commit({ entry: "setting", name: WAITS, value: "1" });
  return "";
}

/** A Z report was made: the paper shows the logo that waited for it. */
export function showWaitingLogo({ memory }: DeviceCommand): void {
  const { settings } = memory.books;
  if (settings[WAITS] !== "1") return;
  const picture = Buffer.from(settings[`${PICTURE}${HEADER_SLOT}`] ?? "", "hex");
  // What is no black-and-white picture leaves the paper without one.
  memory.commit({ entry: "logo_set", rows: bitmapRows(picture) ?? [] });
  memory.commit({ entry: "setting", name: WAITS, value: "0" });
}
