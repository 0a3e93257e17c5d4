/**
 * The books of a simulated device: everything that its battery-backed and fiscal memory hold.
 * Plain data, independent of any wire protocol. Rules that refuse are in `receipt-rules.ts` and
 * `service-rules.ts`; every change is a `BookEntry` applied by `entries.ts`, so that replaying the
 * entries of a state file gives the same books again.
 *
 * Money is in minor units, quantities in thousandths, instants in milliseconds of the device's
 * own clock: local time written as if it were UTC, because a device knows no time zone.
 */

import type { TextForm } from "../paper/line.ts";
import type { ReceiptArchive } from "./archive.ts";
import type {
  CancelledReceipt,
  OpenReceipt,
  ReceiptRecord,
  StornoReason,
  Tender,
} from "./receipt.ts";

/** VAT groups of every supported family, disabled ones included. */
const GROUP_COUNT = 8;
/** Printed documents that are kept to be shown as paper. */
export const RECENT_DOCUMENTS_MAX = 200;
/** Cancelled receipts that are kept; older ones are forgotten, as they are in no fiscal memory. */
export const CANCELLED_DOCUMENTS_MAX = 10_000;
export const DAY_MS = 24 * 3_600_000;

/** Eight zeros, one for each VAT group. */
export function noAmounts(): number[] {
  return new Array<number>(GROUP_COUNT).fill(0);
}

/** A line of a service text: plain text, or text in another form. */
export type ServiceLine = string | { readonly text: string; readonly form: TextForm };

export interface OpenServiceText {
  readonly open: "service";
  readonly number: number;
  readonly openedAt: number;
  readonly lines: ServiceLine[];
}

/** Registers of the current fiscal day. */
export interface DayTotals {
  openedAt: number | null;
  /** Documents printed, fiscal or not. */
  documentCount: number;
  saleCount: number;
  stornoCount: number;
  sales: number[];
  stornos: number[];
  salePayments: Record<Tender, number>;
  stornoPayments: Record<Tender, number>;
  discountCount: number;
  discountMinor: number;
  surchargeCount: number;
  surchargeMinor: number;
  voidCount: number;
  voidMinor: number;
  cancelledCount: number;
  cancelledMinor: number;
  cashInCount: number;
  cashInMinor: number;
  cashOutCount: number;
  cashOutMinor: number;
  /** By the department's number; absent until one has sold. */
  departments?: Record<string, DepartmentTotals>;
}

/** Lines of a department and what they come to: sold, and taken back for each reason. */
export type DepartmentTotals = Readonly<Partial<Record<"sale" | StornoReason, LineTotals>>>;

export interface LineTotals {
  readonly count: number;
  readonly amountMinor: number;
}

/** What an operator has sold since the last report that cleared it. */
export interface OperatorTotals {
  readonly receipts: number;
  readonly salesMinor: number;
  readonly stornosMinor: number;
}

export interface VatGroup {
  readonly rateBasisPoints: number;
  readonly enabled: boolean;
}

/** What is printed when a document begins. */
export interface PaperTop {
  readonly header: readonly string[];
  readonly logo?: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
}

/** What is printed when it ends. */
export interface PaperEnd {
  readonly footer: readonly string[];
  readonly vat: readonly VatGroup[];
}

/** What documents got up to this one that was begun, from the one after the edition before. */
export type Edition<Part> = Part & { readonly until: number };

/** One Z report in fiscal memory. */
export interface ZRecord extends Readonly<DayTotals> {
  readonly zNumber: number;
  readonly documentNumber: number;
  readonly closedAt: number;
  readonly rates: readonly VatGroup[];
}

/** What the outside does to the device. */
export interface Conditions {
  readonly paper: "ok" | "low" | "out";
  readonly cover: "closed" | "open";
  readonly memory: "ok" | "near_full" | "full";
  /** The fiscal memory does not answer: nothing can be printed until somebody repairs it. */
  readonly broken: boolean;
  /** Counts the fiscal day as longer than 24 hours. */
  readonly dayOver: boolean;
  /** Something registered is not on paper yet. */
  readonly printingWaits: boolean;
  /** How far the clock has been pushed off, until it is set anew. */
  readonly clockShiftMs: number;
  readonly clockLost: boolean;
}

export interface Operator {
  readonly name: string;
  readonly password: string;
}

/** What the fiscal memory holds of a period: instants, both included. */
export interface MemoryReport {
  readonly from: number;
  readonly to: number;
  readonly zReports: number;
  readonly salesMinor: number;
  readonly stornosMinor: number;
}

/** An operator on a report. */
export interface OperatorRow extends OperatorTotals {
  readonly operator: number;
  readonly name: string;
}

/** Documents that are not fiscal receipts, kept only as paper. */
export type ServiceDocument =
  | { readonly document: "text"; readonly lines: readonly ServiceLine[] }
  | {
      readonly document: "cash";
      readonly amountMinor: number;
      readonly cashMinor: number;
      readonly text?: string;
    }
  | { readonly document: "x_report"; readonly totals: DayTotals; readonly zNumber: number }
  | { readonly document: "z_report"; readonly record: ZRecord }
  | { readonly document: "operators"; readonly rows: readonly OperatorRow[] }
  | { readonly document: "departments"; readonly totals: DayTotals }
  | ({ readonly document: "memory_report" } & MemoryReport)
  | { readonly document: "duplicate"; readonly of: ReceiptRecord; readonly ofBegun?: number }
  | { readonly document: "diagnostic" };

export type PrintedDocument = Begun &
  (
    | { readonly document: "receipt"; readonly number: number; readonly record: ReceiptRecord }
    | { readonly document: "cancelled"; readonly number: number; readonly record: CancelledReceipt }
    | (ServiceDocument & { readonly number: number; readonly at: number })
  );

/** Which document of the device it is. Its number does not tell: some give one number twice. */
interface Begun {
  /** Absent in what was printed before this was kept: numbers were taken for it. */
  readonly begun?: number;
}

/** Last receipt, open or not, as the "current transaction" reads of devices tell it. */
export interface LastTransaction {
  readonly kind: "sale" | "storno";
  readonly saleCount: number;
  readonly totalMinor: number;
  readonly paidMinor: number;
}

/** Everything but the finished receipts, which can be many. */
export interface BookState {
  documentNumber: number;
  /** How many documents were begun; absent until one is, then the last number is taken for it. */
  begun?: number;
  zNumber: number;
  invoiceNumber: number;
  cashMinor: number;
  /** Device clock minus the computer's UTC. */
  clockOffsetMs: number;
  summerTime: boolean;
  day: DayTotals;
  open: OpenReceipt | OpenServiceText | null;
  lastTransaction: LastTransaction | null;
  lastReceiptDuplicated: boolean;
  /** Instant of the last record in fiscal memory or journal. */
  lastRecordAt: number;
  turnoverMinor: number;
  vat: VatGroup[];
  vatSetAt: number;
  vatChangesLeft: number;
  operators: Operator[];
  /** By the operator's number; absent until one has sold. */
  operatorTotals?: Record<string, OperatorTotals>;
  header: string[];
  footer: string[];
  settings: Record<string, string>;
  /** Rows of the logo as hexadecimal, the leftmost dot highest; absent until one is loaded. */
  logo?: string[];
  /** What stands above and below documents that were printed before it was changed, oldest first. */
  pastTops?: readonly Edition<PaperTop>[];
  pastEnds?: readonly Edition<PaperEnd>[];
  conditions: Conditions;
}

export interface Books extends BookState {
  readonly receipts: ReceiptArchive;
  readonly zRecords: ZRecord[];
  readonly cancelled: CancelledReceipt[];
  readonly recent: PrintedDocument[];
}

/** What a family's model fixes about the books. */
export interface BookModel {
  readonly operatorCount: number;
  /** Password of operator `number` (1-based) as delivered. */
  readonly operatorPassword: (number: number) => string;
  readonly vat: readonly VatGroup[];
  readonly vatChanges: number;
  readonly headerLines: number;
  readonly footerLines: number;
  readonly header: readonly string[];
  readonly footer: readonly string[];
  readonly salesPerReceiptMax: number;
  /** Documents the journal holds. */
  readonly documentsMax: number;
  /** Z records the fiscal memory holds. */
  readonly zRecordsMax: number;
  /** The fiscal memory is near full below this many free Z records. */
  readonly zRecordsLow: number;
  /** Whether the device can tell an open cover from missing paper. */
  readonly coverSensor: boolean;
}

/** An untouched fiscal day. */
export function newDay(): DayTotals {
  return {
    openedAt: null,
    documentCount: 0,
    saleCount: 0,
    stornoCount: 0,
    sales: noAmounts(),
    stornos: noAmounts(),
    salePayments: {},
    stornoPayments: {},
    discountCount: 0,
    discountMinor: 0,
    surchargeCount: 0,
    surchargeMinor: 0,
    voidCount: 0,
    voidMinor: 0,
    cancelledCount: 0,
    cancelledMinor: 0,
    cashInCount: 0,
    cashInMinor: 0,
    cashOutCount: 0,
    cashOutMinor: 0,
  };
}

export const CLEAR_CONDITIONS: Conditions = {
  paper: "ok",
  cover: "closed",
  memory: "ok",
  broken: false,
  dayOver: false,
  printingWaits: false,
  clockShiftMs: 0,
  clockLost: false,
};

/**
 * The state of a device as delivered: fiscalized, rates programmed, clock set.
 * @param now UTC milliseconds
 */
export function newBookState(model: BookModel, now: number, clockOffsetMs: number): BookState {
  return {
    documentNumber: 0,
    zNumber: 0,
    invoiceNumber: 0,
    cashMinor: 0,
    clockOffsetMs,
    summerTime: false,
    day: newDay(),
    open: null,
    lastTransaction: null,
    lastReceiptDuplicated: false,
    lastRecordAt: 0,
    turnoverMinor: 0,
    vat: [...model.vat],
    vatSetAt: now + clockOffsetMs,
    vatChangesLeft: model.vatChanges,
    operators: Array.from({ length: model.operatorCount }, (_, index) => ({
      name: `Operator ${index + 1}`,
      password: model.operatorPassword(index + 1),
    })),
    header: padLines(model.header, model.headerLines),
    footer: padLines(model.footer, model.footerLines),
    settings: {},
    conditions: CLEAR_CONDITIONS,
  };
}

function padLines(lines: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => lines[index] ?? "");
}

/** The open fiscal receipt, if one is open. */
export function openReceiptOf(books: BookState): OpenReceipt | undefined {
  return books.open?.open === "receipt" ? books.open : undefined;
}

/** What is still to be paid; zero when paid or overpaid. */
export function restMinor(receipt: OpenReceipt): number {
  return Math.max(0, receipt.totalMinor - receipt.paidMinor);
}

/** True when the fiscal day has lasted longer than 24 hours. */
export function isDayOver(books: BookState, at: number): boolean {
  const { openedAt } = books.day;
  return books.conditions.dayOver || (openedAt !== null && at - openedAt > DAY_MS);
}

/** Z records that still fit. */
export function zRecordsLeft(books: BookState, model: BookModel): number {
  return model.zRecordsMax - books.zNumber;
}

/** True when nothing fiscal can be stored any more. */
export function isMemoryFull(books: BookState, model: BookModel): boolean {
  return books.conditions.memory === "full" || zRecordsLeft(books, model) <= 0;
}
