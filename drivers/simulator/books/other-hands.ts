/**
 * What other hands do at a device, by the rules that hold for commands too: a person at its
 * keyboard, or another program. What the rules refuse is not done.
 */

import type { Deed } from "#core/device/simulated-faults.ts";
import { openReceiptOf } from "./books.ts";
import type { DeviceMemory } from "./memory.ts";
import type { ReceiptHead } from "./receipt.ts";
import {
  cancelReceipt,
  closeReceipt,
  openSale,
  pay,
  sellLine,
  takeSubtotal,
} from "./receipt-rules.ts";
import { type Decision, isRefusal, refuse } from "./refusal.ts";
import { type RuleContext, requireReceipt } from "./rules.ts";
import { closeDay, moveCash } from "./service-rules.ts";

/** Those that open a receipt. */
type OpeningDeed = "open" | "ring_up" | "finish" | "close_day";

/** Those that are one change of the books. */
const SINGLE_DEEDS: Readonly<
  Record<Exclude<Deed, OpeningDeed>, (context: RuleContext, amountMinor: number) => Decision>
> = {
  cancel: cancelReceipt,
  annul: annulReceipt,
  pay: (context, amountMinor) => pay(context, { tender: "cash", amountMinor }),
  discount: (context, amountMinor) =>
    takeSubtotal(context, {
      printed: false,
      adjustment: { kind: "amount", amountMinor: -amountMinor },
    }),
  take_back: voidLastLine,
  z_report: closeDay,
  cash: moveCash,
};

/** How a model treats documents in ways of its own. */
export interface DocumentHabits {
  /** The head of a receipt that opens, with the model's own numbers. */
  head?(memory: DeviceMemory, head: ReceiptHead): ReceiptHead;
  /** Leaves nothing of the last document in the device, such as paper that is not cut off. */
  settle?(memory: DeviceMemory): void;
  /** What its keys cannot do, where it pays and closes in one. */
  readonly lacks?: readonly Exclude<Deed, OpeningDeed>[];
}

/** What the line of such a receipt is called. */
const FOREIGN_NAME = "Foreign";
const OPERATOR = 1;
const TILL = 1;
const ONE_MILLI = 1_000;

/**
 * Lets other hands act.
 * @param amountMinor what their receipt is worth, or the cash, the part that is paid, the discount
 */
export function actAsOthers(
  memory: DeviceMemory,
  { deed, amountMinor }: { readonly deed: Deed; readonly amountMinor: number },
  habits: DocumentHabits = {},
): void {
  if (isOpening(deed)) openReceipt(memory, { deed, amountMinor }, habits);
  else if (!habits.lacks?.includes(deed)) {
    memory.carryOut(SINGLE_DEEDS[deed](memory.context(), amountMinor));
  }
}

function isOpening(deed: Deed): deed is OpeningDeed {
  return !(deed in SINGLE_DEEDS);
}

/** As a device does at power-on with what it finds open: no command of a host can. */
function annulReceipt(context: RuleContext): Decision {
  const receipt = requireReceipt(context.books);
  return isRefusal(receipt) ? receipt : { entry: { entry: "receipt_cancelled", at: context.at } };
}

/** Sells the last line once more at its price below zero, which takes it back. */
function voidLastLine(context: RuleContext): Decision {
  const parts = openReceiptOf(context.books)?.parts ?? [];
  const line = parts.findLast((part) => part.part === "sale" && part.priceMinor > 0);
  if (line?.part !== "sale") return refuse("line_to_void_not_found");
  const { name, group, priceMinor, quantityMilli, adjustmentMinor, department, unit } = line;
  return sellLine(context, {
    name,
    group,
    priceMinor: -priceMinor,
    quantityMilli,
    adjustment: { kind: "amount", amountMinor: adjustmentMinor },
    department,
    unit,
    groupParameter: 1,
  });
}

function openReceipt(
  memory: DeviceMemory,
  { deed, amountMinor }: { readonly deed: OpeningDeed; readonly amountMinor: number },
  habits: DocumentHabits,
): void {
  if (deed === "finish") finishInCash(memory);
  if (openReceiptOf(memory.books) && memory.carryOut(cancelReceipt(memory.context()))) {
    finishInCash(memory);
  }
  habits.settle?.(memory);
  if (!openForeign(memory, amountMinor, habits) || deed === "open") return;
  finishInCash(memory);
  habits.settle?.(memory);
  if (deed === "close_day") memory.carryOut(closeDay(memory.context()));
}

function openForeign(memory: DeviceMemory, priceMinor: number, habits: DocumentHabits): boolean {
  const { books } = memory;
  const opening = openSale(memory.context(), {
    operator: OPERATOR,
    password: books.operators[OPERATOR - 1]?.password ?? "",
    till: TILL,
    uniqueSaleNumber: undefined,
    invoice: false,
  });
  if (isRefusal(opening) || opening.entry.entry !== "receipt_opened") return false;
  const { head } = opening.entry;
  memory.commit({ ...opening.entry, head: habits.head?.(memory, head) ?? head });
  memory.carryOut(
    sellLine(memory.context(), {
      name: FOREIGN_NAME,
      group: books.vat.findIndex(({ enabled }) => enabled) + 1,
      priceMinor,
      quantityMilli: ONE_MILLI,
      adjustment: { kind: "none" },
      department: undefined,
      unit: undefined,
      groupParameter: 1,
    }),
  );
  return true;
}

function finishInCash(memory: DeviceMemory): void {
  memory.carryOut(pay(memory.context(), { tender: "cash", amountMinor: undefined }));
  memory.carryOut(closeReceipt(memory.context()));
}
