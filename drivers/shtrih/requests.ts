/**
 * The device commands that the driver uses, one row each.
 * Source: Shtrih-M "FR protocol" 1.10 and "KKT protocol" 2.0; the time each answer may take is that
 * of the vendor's own driver.
 */

/** Whose password goes with a command. */
export type Role = "operator" | "administrator" | "none";

export interface RequestRow {
  readonly code: number;
  readonly role: Role;
  /** True when it changes nothing on the device, paper included. */
  readonly isRead: boolean;
  readonly answerMs: number;
}

const USUAL_MS = 30_000;
const STATUS_MS = 3_000;

function read(code: number, role: Role, answerMs = USUAL_MS): RequestRow {
  return { code, role, isRead: true, answerMs };
}

function act(code: number, role: Role, answerMs = USUAL_MS): RequestRow {
  return { code, role, isRead: false, answerMs };
}

export const REQUESTS = {
  deviceType: read(0xfc, "none"),
  modelParameters: read(0xf7, "none"),
  printerState: read(0x10, "operator", STATUS_MS),
  fullState: read(0x11, "operator", STATUS_MS),
  textLine: act(0x17, "operator"),
  wideLine: act(0x12, "operator"),
  moneyRegister: read(0x1a, "operator"),
  countRegister: read(0x1b, "operator"),
  writeTable: act(0x1e, "administrator"),
  readTable: read(0x1f, "administrator"),
  setTime: act(0x21, "administrator"),
  setDate: act(0x22, "administrator"),
  confirmDate: act(0x23, "administrator"),
  cut: act(0x25, "operator"),
  font: read(0x26, "administrator", 5_000),
  drawer: act(0x28, "operator"),
  feed: act(0x29, "operator"),
  tableStructure: read(0x2d, "administrator"),
  fieldStructure: read(0x2e, "administrator"),
  xReport: act(0x40, "administrator"),
  zReport: act(0x41, "administrator", 65_000),
  cashIn: act(0x50, "operator"),
  cashOut: act(0x51, "operator"),
  sale: act(0x80, "operator"),
  saleReturn: act(0x82, "operator"),
  close: act(0x85, "operator"),
  cancel: act(0x88, "operator"),
  cancelAsAdministrator: act(0x88, "administrator"),
  subtotal: read(0x89, "operator"),
  repeatDocument: act(0x8c, "operator"),
  open: act(0x8d, "operator"),
  proceed: act(0xb0, "operator"),
  logoLine: act(0xc0, "operator"),
  openText: act(0xe2, "operator"),
  closeText: act(0xe3, "operator"),
} as const satisfies Record<string, RequestRow>;

export type RequestName = keyof typeof REQUESTS;

/** As long as the vendor's own driver waits for anything: a report over many days. */
const LONGEST_MS = 150_000;
const ANSWER_MS: ReadonlyMap<number, number> = new Map(
  Object.values(REQUESTS).map(({ code, answerMs }) => [code, answerMs]),
);

/** How long the answer to a command may take, in milliseconds, by its code. */
export function answerMsOf(code: number): number {
  return ANSWER_MS.get(code) ?? LONGEST_MS;
}

/** Registers of money, read with 1Ah. */
export const MONEY = {
  cash: 241,
  cashIn: 242,
  cashOut: 243,
  /** Payments of the day: tender 1..4, kind 0 sale, 2 return of a sale. */
  payments: (tender: number, kind: 0 | 2) => 193 + 4 * (tender - 1) + kind,
  /** Turnover of tax group 1..4. */
  turnover: (group: number, kind: 0 | 2) => 209 + 4 * (group - 1) + kind,
  tax: (group: number, kind: 0 | 2) => 225 + 4 * (group - 1) + kind,
} as const;

/** Registers of counts, read with 1Bh. */
export const COUNT = {
  salesToday: 144,
  returnsToday: 146,
  /** Running numbers of the last documents of a kind. */
  sale: 148,
  saleReturn: 150,
  cashIn: 155,
  cashOut: 156,
  xReport: 158,
  cancelled: 166,
} as const;

/** Tables that hold what can be programmed. */
export const TABLE = { operators: 2, texts: 4, taxes: 6 } as const;
