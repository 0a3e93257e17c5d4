/**
 * The error numbers that X devices put into the first field of each answer, and what they mean to
 * us. Numbers are negative on the wire and positive here. The first row that matches counts, so
 * the single numbers stand before the range they are taken out of.
 * Source: Datecs FP-700X protocol manual 2.02 and 2.11, "Error codes".
 */

import type { FiscalErrorCode } from "#core/errors.ts";

/** From, to (inclusive), our code, and what the manual says in short. */
type ErrorRow = readonly [number, number, FiscalErrorCode | "warning", string];

const ERROR_ROWS: readonly ErrorRow[] = [
  [100_001, 100_002, "E304", "device input or output error"],
  [100_008, 100_008, "E304", "device not ready"],
  [100_003, 100_009, "E305", "no data or wrong mode"],
  [100_108, 100_108, "E300", "fiscal memory: no blocks left"],
  [100_114, 100_114, "E300", "fiscal memory full"],
  [100_100, 100_116, "E304", "fiscal memory failure"],
  [100_400, 100_401, "E304", "supply voltage"],
  [100_402, 100_402, "E304", "print head overheated"],
  [100_403, 100_403, "E306", "no paper"],
  [100_404, 100_404, "E307", "cover open"],
  [100_405, 100_405, "warning", "paper low"],
  [100_407, 100_407, "E304", "paper cutter"],
  [100_408, 100_414, "E304", "printing mechanism"],
  [100_500, 100_511, "E304", "memory, clock or module failure"],
  [101_000, 101_017, "E305", "request not possible"],
  [102_000, 102_000, "E304", "battery low"],
  [102_001, 102_001, "warning", "battery getting low"],
  [102_002, 102_002, "E305", "wrong operator password"],
  [102_006, 102_008, "E304", "display, printer or SD card missing"],
  [102_003, 102_020, "E305", "device not fully set up"],
  [103_000, 103_008, "E305", "item database"],
  [104_000, 104_000, "E303", "Z report needed first"],
  [104_005, 104_005, "E303", "report needed first"],
  [104_007, 104_008, "E303", "report needed first"],
  [104_011, 104_012, "E303", "report needed first"],
  [104_001, 104_013, "E305", "service mode or state forbids it"],
  [105_009, 105_009, "warning", "electronic journal nearly full"],
  [105_010, 105_010, "E304", "electronic journal full"],
  [105_000, 105_019, "E304", "electronic journal"],
  [106_000, 106_004, "E305", "client database"],
  [110_108, 110_108, "E303", "fiscal day open"],
  [110_100, 110_112, "E305", "external device"],
  [110_210, 110_210, "E304", "blocked: no contact with the tax server for 72 hours"],
  [110_226, 110_226, "E304", "blocked: no contact with the tax server for 24 hours"],
  [110_200, 110_226, "E304", "tax server"],
  [110_300, 110_706, "E304", "modem or network"],
  [110_811, 110_811, "E303", "over 24 hours since the shift was opened"],
  [110_814, 110_814, "E305", "not enough cash"],
  [110_800, 110_855, "E304", "tax terminal"],
  [111_002, 111_002, "E305", "syntax error"],
  [111_003, 111_003, "E305", "operation not possible"],
  [111_004, 111_004, "E305", "item not found"],
  [111_005, 111_005, "E305", "VAT group forbidden"],
  [111_008, 111_008, "E305", "bad group"],
  [111_009, 111_009, "E305", "bad department"],
  [111_013, 111_013, "E303", "daily registers full"],
  [111_015, 111_015, "E301", "receipt open"],
  [111_016, 111_016, "E302", "receipt closed"],
  [111_017, 111_017, "E305", "not enough cash"],
  [111_018, 111_018, "E305", "payment already started"],
  [111_019, 111_019, "E305", "too many sales in the receipt"],
  [111_020, 111_020, "E305", "no transactions"],
  [111_024, 111_024, "E303", "24 hours over: Z report needed"],
  [111_046, 111_046, "E301", "non-fiscal receipt open"],
  [111_047, 111_047, "E301", "fiscal receipt open"],
  [111_050, 111_050, "E302", "payment not started"],
  [111_060, 111_060, "E305", "drawer disabled"],
  [111_061, 111_061, "E305", "this payment is forbidden"],
  [111_065, 111_065, "E305", "total is zero: the receipt must be cancelled"],
  [111_066, 111_066, "E301", "receipt voided, must be closed"],
  [111_067, 111_067, "E301", "storno receipt open"],
  [111_073, 111_073, "E305", "pinpad error"],
  [111_077, 111_077, "E305", "date earlier than fiscal memory"],
  [111_098, 111_098, "E303", "a new day cannot be opened before midnight"],
  [111_000, 111_097, "E305", "registration refused"],
  [111_509, 111_509, "E305", "pinpad did not answer"],
  [111_518, 111_518, "E305", "cancelled on the pinpad"],
  [111_556, 111_556, "E305", "paid on the pinpad but not in the printer"],
  [111_558, 111_558, "E305", "same transaction on the pinpad"],
  [111_560, 111_560, "E305", "result on the pinpad unknown"],
  [111_500, 111_703, "E305", "pinpad"],
  [111_800, 111_810, "E304", "scale"],
  [112_000, 112_000, "E201", "invalid command"],
  [112_001, 112_001, "E305", "syntax error"],
  [112_002, 112_002, "E305", "not permitted"],
  [112_003, 112_003, "E305", "register overflow"],
  [112_004, 112_004, "E305", "clock wrong"],
  [112_005, 112_005, "E305", "PC mode needed"],
  [112_006, 112_006, "E306", "no paper"],
  [112_007, 112_007, "E307", "cover open"],
  [112_008, 112_008, "E304", "printing mechanism"],
  [112_101, 112_116, "E305", "bad parameter"],
  [112_201, 112_216, "E305", "bad parameter"],
  [114_000, 114_000, "E304", "POS channel"],
  [118_000, 118_007, "E304", "server"],
  [120_000, 120_003, "E305", "name, password or date not accepted"],
  [121_000, 121_001, "E305", "scanner"],
  [170_000, 170_005, "E304", "USB"],
];

/** -112002: the one number that says no more than the status bit "not permitted" does. */
export const NOT_PERMITTED_NUMBER = -112_002;

/**
 * Pinpad answers after which nobody knows whether the money was taken: the only refusals that are
 * not definite.
 */
export const DOUBTFUL_NUMBERS: ReadonlySet<string> = new Set(["-111556", "-111558", "-111560"]);

export interface ErrorNumberMeaning {
  /** `warning`: the command was carried out. */
  readonly code: FiscalErrorCode | "warning";
  readonly text: string;
}

/** What an error number of an X device means; `number` is negative, as on the wire. */
export function errorNumberMeaning(number: number): ErrorNumberMeaning {
  const magnitude = -number;
  const row = ERROR_ROWS.find(([from, to]) => magnitude >= from && magnitude <= to);
  if (!row) return { code: "E305", text: "refused" };
  const [from, , code, text] = row;
  // The last two digits of these numbers say which parameter is wrong.
  const parameter = from === 112_101 || from === 112_201 ? ` ${magnitude % 100}` : "";
  return { code, text: text + parameter };
}
