/**
 * The last receipt as the device tells of it: number, time and amount of one document, and nothing
 * where that is not told. What counts through all papers (76 on X, 113 elsewhere) is the number of a
 * receipt only where no report, cash movement, slip or duplicate came behind it.
 */

import { FiscalError } from "#core/errors.ts";
import type { LastReceipt as ShownReceipt } from "../shared/printed-receipt.ts";
import { recall, remember } from "../shared/remembered-fact.ts";
import type { Answer } from "./answer.ts";
import { readDocumentTime } from "./clock-text.ts";
import type { IslDevice } from "./device.ts";
import type { ActionName } from "./dialect.ts";
import { type CurrentReceipt, readCurrentReceipt } from "./receipts.ts";

export interface LastReceipt extends ShownReceipt {
  /** Number of the last document of any kind, and so no receipt has a higher one; 0 for none. */
  readonly lastDocument: number;
}

/** What a device tells of the last receipt itself. */
type Told = Partial<ShownReceipt> & { readonly number: number };

/** Reads the last receipt. @throws FiscalError */
export async function readLastReceipt(device: IslDevice): Promise<LastReceipt> {
  const before = await readNumber(device);
  const current = await readCurrentReceipt(device);
  const told =
    (await fromJournal(device, current)) ??
    (await fromQrCode(device, current)) ??
    (await fromCounter(device, current)) ??
    ofOurs(device, current);
  const issuedAt = told?.issuedAt ?? (await readIssuedAt(device));
  // Whoever prints between two answers makes them tell of two documents.
  const after = await readNumber(device);
  const isOne = before === current.number && after === current.number;
  // A receipt that is open, or was cancelled, has no amount that was ever due.
  const hasAmount = isOne && !current.open && current.paidMinor > 0;
  return {
    number: told?.number ?? null,
    issuedAt: told?.issuedAt ?? (isOne ? issuedAt : null),
    amountMinor: told?.amountMinor ?? (hasAmount ? current.amountMinor : null),
    lastDocument: after,
  };
}

/** Number of the last document of any kind. @throws FiscalError */
async function readNumber(device: IslDevice): Promise<number> {
  return (await device.ask(numberAction(device))).integer("number");
}

/** The same; undefined where the device refuses. @throws FiscalError a line fault */
export async function tryReadLastPaper(device: IslDevice): Promise<number | undefined> {
  const number = (await device.tryAsk(numberAction(device)))?.optional("number");
  return number !== undefined && /^\d{1,15}$/.test(number) ? Number(number) : undefined;
}

/** A paper of ours took this number. */
export function notePaper({ kept }: IslDevice, number: number): void {
  kept.notePaper({ before: String(number - 1), after: String(number) });
}

function numberAction(device: IslDevice): "lastDocument" | "transaction" {
  return device.can("lastDocument") ? "lastDocument" : "transaction";
}

/** When the last receipt was issued, where the device tells; null otherwise. @throws FiscalError */
export async function readIssuedAt(device: IslDevice): Promise<number | null> {
  const text = (await device.tryAsk("lastReceipt"))?.optional("issuedAt");
  return text === undefined ? null : (readDocumentTime(device, text) ?? null);
}

/** Documents looked at for the last receipt, the newest first: papers of an evening are fewer. */
const LOOKED_BACK_MAX = 10;

/** The newest document of the journal that is a receipt, as far as it names all behind it. */
async function fromJournal(
  device: IslDevice,
  { number: newest, open }: CurrentReceipt,
): Promise<Told | undefined> {
  const { journalKinds } = device.dialect;
  if (!journalKinds) return undefined;
  for (let number = newest; number > Math.max(0, newest - LOOKED_BACK_MAX); number -= 1) {
    const found = await device.tryAsk("journalDocument", { number: String(number) });
    const isFound = Number(found?.optional("document")) === number;
    // One that stands open is not in the journal yet.
    if (!isFound && open && number === newest) continue;
    const kind = isFound ? found?.optional("type") : undefined;
    if (kind !== undefined && journalKinds.receipts.includes(kind)) {
      const issuedAt = readDocumentTime(device, found?.optional("issuedAt") ?? "");
      return issuedAt === undefined ? { number } : { number, issuedAt };
    }
    // What the journal does not name may be a receipt.
    if (kind === undefined || !journalKinds.others.includes(kind)) return undefined;
  }
  return undefined;
}

/** The QR code of the last document, where that is a receipt: the law puts all three in it. */
async function fromQrCode(
  device: IslDevice,
  { number: newest }: CurrentReceipt,
): Promise<Told | undefined> {
  const answer = await device.tryAsk("lastQrCode");
  if (answer?.optional("number") === undefined) return undefined;
  const number = answer.integer("number");
  const amountMinor = answer.minor("amount");
  // A receipt that was cancelled is closed over nothing.
  if (number !== newest || amountMinor === 0) return undefined;
  const date = answer.text("date").split("-").toReversed().join("-");
  const issuedAt = readDocumentTime(device, `${date} ${answer.text("time")}`);
  return { number, amountMinor, ...(issuedAt === undefined ? {} : { issuedAt }) };
}

/** The number that the device counts for receipts. */
async function fromCounter(
  device: IslDevice,
  { number: newest }: CurrentReceipt,
): Promise<Told | undefined> {
  const answer = await device.tryAsk("receiptCounter");
  if (answer?.optional("number") === undefined) return undefined;
  const number = answer.integer("number");
  // It would be a count of another kind.
  return number > 0 && number <= newest ? { number } : undefined;
}

/** Under what is remembered which receipt was the last of ours. */
const LAST_OF_OURS = "lastReceipt";

/** A receipt of this number was printed: while no paper follows it, it is the last one. */
export function rememberReceipt(device: IslDevice, number: number): void {
  remember(device, LAST_OF_OURS, String(number));
}

function ofOurs(device: IslDevice, { number }: CurrentReceipt): Told | undefined {
  return recall(device, LAST_OF_OURS) === String(number) ? { number } : undefined;
}

/**
 * What the result of a paper without fiscal meaning, or of a report, says besides: the number of the
 * last document behind it. While that stands still, nothing was printed. The paper is there, so a
 * question without an answer is no fault of it.
 */
export async function lastDocumentNumber(
  device: IslDevice,
): Promise<{ readonly lastDocumentNumber: string | null }> {
  try {
    const answer = await askedTwice(device, numberAction(device));
    const isTold = !(answer instanceof FiscalError) && !answer.fault;
    const number = isTold ? answer.integer("number") : 0;
    notePaper(device, number);
    return { lastDocumentNumber: number === 0 ? null : String(number) };
  } catch (error) {
    if (error instanceof FiscalError) return { lastDocumentNumber: null };
    throw error;
  }
}

/**
 * A second time where the first is not answered in time: a state that is put back behind a paper without its
 * number has its printer wait for an owner. Each a single time, so that silence leaves the line in use.
 */
async function askedTwice(device: IslDevice, name: ActionName): Promise<Answer | FiscalError> {
  const first = await device.sendOnce(name);
  return first instanceof FiscalError ? device.sendOnce(name) : first;
}
