/**
 * Sales of the simulated device.
 * Source: Tremol protocol description, Bulgaria, rev. 1910211454.
 */

import { sellLine } from "../../simulator/books/receipt-rules.ts";
import { decodeText } from "./code-page.ts";
import { DEPARTMENT_GROUP, departmentOf } from "./departments.ts";
import {
  type Answer,
  type DeviceCommand,
  readAdjustment,
  readAmount,
  readQuantity,
  refused,
} from "./device-command.ts";

const NAME_BYTES = 36;
const GROUP_LETTERS = "АБВГДЕЖЗ";
/** In the place of the letter: the group is that of the department. */
const GROUP_OF_DEPARTMENT = " ";
const TAIL_MARK = 0x21;
/** Between the name and what a `!` brings: a letter or byte, `price{*qty}{,percent}{:amount}`. */
const SALE = /^;(.);([-+ ]?[\d.]{1,10})(?:\*([\d.]{1,10}))?(?:,([-+ \d.]+%?))?(?::([-+ \d.]+))?$/s;

interface ReadSale {
  /** The byte behind the name. */
  readonly first: number;
  readonly letter: string;
  /** The byte behind `!`. */
  readonly tail: number | undefined;
  readonly request: Omit<Parameters<typeof sellLine>[1], "group" | "department">;
}

/** 31h: `name36;VAT;price...{!department}`; a blank for VAT takes that of the department. */
export function sell(command: DeviceCommand): Answer {
  const { letter, tail, request } = readSale(command);
  const department = tail === undefined ? undefined : departmentOf(tail);
  if (tail !== undefined && department === undefined) throw refused("syntax");
  if (letter === GROUP_OF_DEPARTMENT && department === undefined) throw refused("syntax");
  const group = letter === GROUP_OF_DEPARTMENT ? DEPARTMENT_GROUP : groupOf(letter);
  command.carryOut(sellLine(command.memory.context(), { ...request, group, department }));
  return undefined;
}

/** 34h: `name36;department;price...{!VAT}`. A correction takes no adjustment. */
export function sellByDepartment(command: DeviceCommand): Answer {
  const { first, tail, request } = readSale(command);
  const department = departmentOf(first);
  if (department === undefined) throw refused("syntax");
  if (request.priceMinor < 0 && request.adjustment.kind !== "none") throw refused("parameter");
  const group = tail === undefined ? DEPARTMENT_GROUP : groupOf(decodeText(Uint8Array.of(tail)));
  command.carryOut(sellLine(command.memory.context(), { ...request, group, department }));
  return undefined;
}

function readSale({ data }: DeviceCommand): ReadSale {
  const hasTail = data.length > NAME_BYTES + 2 && data.at(-2) === TAIL_MARK;
  const match = SALE.exec(decodeText(data.subarray(NAME_BYTES, hasTail ? -2 : undefined)));
  if (!match) throw refused("syntax");
  const [, letter = "", price, quantity, percent, amount] = match;
  return {
    first: data[NAME_BYTES + 1] ?? 0,
    letter,
    tail: hasTail ? data.at(-1) : undefined,
    request: {
      name: decodeText(data.subarray(0, NAME_BYTES)).trim(),
      priceMinor: readAmount(price),
      quantityMilli: readQuantity(quantity),
      adjustment: readAdjustment(percent, amount),
      unit: undefined,
      groupParameter: 2,
    },
  };
}

/** @throws Refused for `*`, which is a forbidden group, and whatever else is none */
function groupOf(letter: string): number {
  const group = GROUP_LETTERS.indexOf(letter) + 1;
  if (group === 0) throw refused("vat_group_unknown");
  return group;
}
