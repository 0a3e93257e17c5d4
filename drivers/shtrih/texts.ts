/**
 * The table of texts above and below each receipt.
 * Which of its rows a model prints is set in its table 1.
 * Source: Shtrih-M "KKT protocol" 2.0, table 4.
 */

import { withoutBlankEnd } from "../shared/header-footer.ts";
import type { ShtrihDevice } from "./device.ts";
import type { Rows } from "./dialects/factory.ts";
import { textField, toText } from "./fields.ts";
import { TABLE } from "./requests.ts";

const TEXT_FIELD = 1;

/** Characters that a line of the table holds. @throws FiscalError */
function textSize(device: ShtrihDevice): Promise<number> {
  return device.sizeOf(TABLE.texts, TEXT_FIELD);
}

/** Characters of it that its paper holds, too. @throws FiscalError */
export async function textWidth(device: ShtrihDevice): Promise<number> {
  return Math.min(await textSize(device), device.facts.lineWidth);
}

/** Reads lines, without the blank ones at the end. @throws FiscalError */
export async function readTexts(device: ShtrihDevice, place: Rows): Promise<string[]> {
  const lines: string[] = [];
  for (let line = 0; line < place.count; line += 1) {
    const bytes = await device.readField(TABLE.texts, place.first + line, TEXT_FIELD);
    lines.push(toText(bytes).trimEnd());
  }
  return withoutBlankEnd(lines);
}

/** Writes all lines of a place; those not given become blank. @throws FiscalError */
export async function writeTexts(
  device: ShtrihDevice,
  place: Rows,
  lines: readonly string[],
): Promise<void> {
  const size = await textSize(device);
  for (let line = 0; line < place.count; line += 1) {
    // Filled up with zeros, or characters of a longer text would stay behind it.
    const value = textField(lines[line] ?? "", size);
    await device.writeField([TABLE.texts, place.first + line, TEXT_FIELD], value);
  }
}
