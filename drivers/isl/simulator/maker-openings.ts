/**
 * How receipts are opened on the devices of other makers than the first.
 * Sources: those named in `makers.ts`.
 */

import { openStorno } from "../../simulator/books/receipt-rules.ts";
import { parseDashedClock } from "./clock-text.ts";
import { type DeviceCommand, refused } from "./device-command.ts";
import { commaFields, type Fields } from "./fields.ts";
import { DOCUMENT, operatorOf } from "./opening-fields.ts";
import { counts, fiscalMemoryOf, open } from "./short-receipt.ts";

const TILL = 1;

/** 48 on DY: `Op,Pwd,USN[TAB I]`, or a storno with `TAB R<Reason>,DocNo,Date TAB FM` behind it. */
export function openDy(command: DeviceCommand): string {
  const [head = "", tail = "", memory] = command.text.split("\t");
  const fields = commaFields(head, { least: 3, most: 3 });
  const uniqueSaleNumber = fields.uniqueSaleNumber(2);
  const request = { ...operatorOf(command, fields), till: TILL, uniqueSaleNumber };
  if (memory === undefined) {
    if (tail !== "" && tail !== "I") throw refused("syntax");
    return open(command, undefined, { ...request, invoice: tail === "I" });
  }
  const original = commaFields(`${tail},${memory}`, { least: 4, most: 5 });
  // A credit note names its invoice before the reason: `C<InvNo>,<Reason>,...`.
  const note = /^C\d{1,10}$/.test(original.text(0));
  const at = note ? 2 : 1;
  if (original.count !== at + 3) throw refused("syntax");
  const letter = note ? original.text(1) : /^R(.)$/.exec(original.text(0))?.[1];
  return storno(command, original, {
    ...request,
    invoice: note,
    reason: letter ?? "",
    at,
    issuedAt: parseDashedClock(original.text(at + 1))?.at,
    memoryAt: at + 2,
  });
}

/**
 * 144 on ED: `Name,USN[,I]`, `Name`, or `Name,USN,S,FM,Reason,DocNo[,Date[,InvNo]]`. Hosts in use
 * write a comma behind the sale number too, and `,,I` for an invoice.
 */
export function openEd(command: DeviceCommand): string {
  const fields = commaFields(command.text, { least: 1, most: 8 });
  const name = fields.text(0);
  if (name === "") fields.fail(0);
  const named = command.books.operators.findIndex((operator) => operator.name === name);
  const request = {
    // The name is printed as it is given, whether it is programmed or not.
    ...knownOperator(command, named < 0 ? 1 : named + 1),
    till: TILL,
    uniqueSaleNumber: fields.uniqueSaleNumber(1),
  };
  const kind = fields.text(2);
  if (kind !== "S") {
    const mark = fields.count === 4 && kind === "" ? fields.text(3) : kind;
    const isLong = fields.count > (kind === "" ? 4 : 3);
    if (isLong || (mark !== "" && mark !== "I")) throw refused("syntax");
    return open(command, undefined, { ...request, invoice: mark === "I" });
  }
  return storno(command, fields, {
    ...request,
    invoice: fields.text(7) !== "",
    reason: fields.text(4),
    at: 5,
    issuedAt: parseIsoClock(fields.text(6)),
    memoryAt: 3,
  });
}

/** 48 on IN: `Op,USN,0[,I]`, or a storno `Op,USN,DocNo,FF0,Date,FM`. */
export function openIn(command: DeviceCommand): string {
  const fields = commaFields(command.text, { least: 3, most: 6 });
  const operator = fields.integer(0, { least: 1, most: command.books.operators.length });
  const request = {
    ...knownOperator(command, operator),
    till: TILL,
    uniqueSaleNumber: fields.text(1) === "0" ? undefined : fields.uniqueSaleNumber(1),
  };
  if (fields.text(2) === "0") {
    const mark = fields.text(3);
    if (fields.count > 4 || (mark !== "" && mark !== "I")) throw refused("syntax");
    return open(command, undefined, { ...request, invoice: mark === "I" });
  }
  // The letter of the reason twice and 0; an invoice's has `I` first and its number last.
  const reason = /^(?:I(.)\d{1,10}|(.)\2(0))$/.exec(fields.text(3));
  if (!reason || fields.count !== 6) throw refused("syntax");
  return storno(command, fields, {
    ...request,
    invoice: reason[1] !== undefined,
    reason: reason[1] ?? reason[2] ?? "",
    at: 2,
    issuedAt: parseDashedClock(fields.text(4))?.at,
    memoryAt: 5,
  });
}

/** Who opens a receipt without a password. */
function knownOperator(
  { books }: DeviceCommand,
  operator: number,
): { operator: number; password: string } {
  return { operator, password: books.operators[operator - 1]?.password ?? "" };
}

interface StornoFields {
  readonly operator: number;
  readonly password: string;
  readonly till: number;
  readonly uniqueSaleNumber: string | undefined;
  readonly invoice: boolean;
  /** The device's own letter or digit. */
  readonly reason: string;
  /** Where the original's number stands. */
  readonly at: number;
  readonly issuedAt: number | undefined;
  readonly memoryAt: number;
}

function storno(command: DeviceCommand, fields: Fields, request: StornoFields): string {
  const { reason: letter, at, issuedAt, memoryAt, ...head } = request;
  const reason = command.model.stornoReasons[letter];
  if (!reason || issuedAt === undefined) throw refused("syntax");
  const fiscalMemory = fiscalMemoryOf(fields, memoryAt);
  const { fiscalMemory: own } = command.model.identity;
  const isForeignError = fiscalMemory !== own && reason === "operator-error";
  if (isForeignError && command.model.ownErrorsOnly) throw refused("original_unknown");
  command.carryOut(
    openStorno(command.memory.context(), {
      ...head,
      reason,
      original: {
        number: fields.integer(at, DOCUMENT),
        issuedAt,
        fiscalMemory,
        uniqueSaleNumber: head.uniqueSaleNumber,
      },
      ownFiscalMemory: own,
      rebuild: false,
    }),
  );
  return counts(command, "storno");
}

/** `YYYY-MM-DDThh:mm:ss`. */
function parseIsoClock(text: string): number | undefined {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
