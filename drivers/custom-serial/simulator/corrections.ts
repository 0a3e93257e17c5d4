/** What changes or takes back lines of the open receipt. */

import { lineTotalMinor } from "#core/money.ts";
import { noAmounts } from "../../simulator/books/books.ts";
import type { OpenReceipt, SaleLine } from "../../simulator/books/receipt.ts";
import { percentOfMinor } from "../../simulator/books/reckoning.ts";
import { isRefusal } from "../../simulator/books/refusal.ts";
import { refuseUnprintable, requireReceipt } from "../../simulator/books/rules.ts";
import { type DeviceCommand, Refused, refused } from "./device-command.ts";
import { ERROR } from "./error-codes.ts";
import { AMOUNT_MINOR_MAX, groupOf, type LineFields } from "./line-fields.ts";

/** The receipt that takes lines. @throws Refused */
function receiptForLines(command: DeviceCommand): OpenReceipt {
  const { books } = command.memory;
  const refusal = refuseUnprintable(books, command.memory.model);
  if (refusal) throw refused(refusal.refused, command.model);
  const receipt = requireReceipt(books);
  if (isRefusal(receipt)) throw refused(receipt.refused, command.model);
  if (receipt.paymentStarted) throw new Refused(ERROR.notNow);
  return receipt;
}

/** A surcharge or discount: on the line before, or with a VAT id on what was sold under that. */
export function adjust(command: DeviceCommand, given: LineFields): void {
  const receipt = receiptForLines(command);
  const isPercent = given.type === "B" || given.type === "C";
  const sign = given.type === "2" || given.type === "B" ? 1 : -1;
  const last = given.vatId === 0 ? lastLine(receipt) : undefined;
  const group = last ? last.line.group : given.vatId;
  const base = last ? last.standingMinor : (receipt.groups[group - 1] ?? 0);
  if (base === 0) throw new Refused(ERROR.notNow);
  const amountMinor = sign * (isPercent ? percentOfMinor(base, given.amount) : given.amount);
  if (amountMinor === 0) throw new Refused(ERROR.amount);
  if (base + amountMinor < 0) throw new Refused(ERROR.negativeTotal);
  if (receipt.totalMinor + amountMinor > AMOUNT_MINOR_MAX) throw new Refused(ERROR.overflow);
  if (last) {
    command.memory.commit({ entry: "part", part: { part: "adjustment", group, amountMinor } });
    return;
  }
  const adjustments = noAmounts();
  adjustments[group - 1] = amountMinor;
  const totalMinor = receipt.totalMinor + amountMinor;
  command.memory.commit({
    entry: "part",
    part: { part: "subtotal", totalMinor, adjustments, printed: false },
  });
}

interface LastLine {
  readonly line: SaleLine;
  /** What it adds to the receipt with everything that was put on it since. */
  readonly standingMinor: number;
}

/** The line before, which only text and its own adjustments may follow. @throws Refused */
function lastLine(receipt: OpenReceipt): LastLine {
  let standingMinor = 0;
  for (const part of receipt.parts.toReversed()) {
    if (part.part === "adjustment") standingMinor += part.amountMinor;
    else if (part.part === "sale" && part.priceMinor >= 0) {
      return { line: part, standingMinor: standingMinor + part.totalMinor };
    } else if (part.part !== "text") break;
  }
  throw new Refused(ERROR.notNow);
}

/** Takes an amount back from what was sold at its rate. */
export function voidAmount(command: DeviceCommand, given: LineFields): void {
  const receipt = receiptForLines(command);
  const totalMinor = -lineTotalMinor(given.amount, given.quantityMilli);
  const group = groupOf(command.model, given);
  if (totalMinor === 0) throw new Refused(ERROR.amount);
  if ((receipt.groups[group - 1] ?? 0) + totalMinor < 0) throw new Refused(ERROR.negativeTotal);
  takeBack(command, {
    name: given.name,
    group,
    priceMinor: -given.amount,
    quantityMilli: given.quantityMilli,
    adjustmentMinor: 0,
    totalMinor,
    department: given.department,
  });
}

/** Takes the line before back, with what was put on it. */
export function voidLast(command: DeviceCommand): void {
  const { line: last, standingMinor } = lastLine(receiptForLines(command));
  const { name, group, priceMinor, quantityMilli, totalMinor } = last;
  takeBack(command, {
    name,
    group,
    priceMinor: -priceMinor,
    quantityMilli,
    adjustmentMinor: totalMinor - standingMinor,
    totalMinor: -standingMinor,
  });
}

function takeBack(command: DeviceCommand, line: Omit<SaleLine, "part">): void {
  command.memory.commit({ entry: "part", part: { part: "sale", ...line } });
}
