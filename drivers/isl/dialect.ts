/**
 * What a dialect of the ISL family is: everything in which one make or generation of devices
 * differs from another, as data. The commands and the document flow read it and never ask which
 * dialect it is; what a dialect has no action for, its devices cannot do (E201).
 */

import type { PaymentMethod, ReversalReason } from "#core/receipt.ts";
import type { CodePage } from "../shared/codepage.ts";
import type { CommandLimit } from "../shared/command-timer.ts";
import type { ResendPolicy } from "./exchange-rules.ts";
import type { Generation } from "./frame.ts";
import type { Demand, ErrorNumbers, StatusTable } from "./status.ts";

/** The device commands that our commands are made of. */
export type ActionName =
  // What the device says of itself and of its documents.
  | "status"
  | "transaction"
  | "lastDocument"
  | "lastReceipt"
  | "journalDocument"
  | "lastQrCode"
  | "receiptCounter"
  | "zCounter"
  | "dayCloseNeeded"
  | "printColumns"
  // Fiscal documents.
  | "openSale"
  | "openStorno"
  | "text"
  | "sale"
  | "adjustment"
  | "payment"
  | "close"
  | "cancel"
  // Slips without fiscal meaning.
  | "openSlip"
  | "slipTitle"
  | "slipLine"
  | "closeSlip"
  | "duplicate"
  // Reports and cash.
  | "xReport"
  | "zReport"
  | "cashIn"
  | "cashOut"
  | "cashRead"
  | "drawer"
  // Settings.
  | "setClock"
  | "getClock"
  | "getVat"
  | "getVatSetup"
  | "setVat"
  | "setHeader"
  | "getHeader"
  | "setFooter"
  | "getFooter"
  | "setOperatorName"
  | "getOperatorName"
  | "setOperatorPassword"
  | "logoStart"
  | "logoPart"
  | "logoEnd"
  | "logoOn"
  | "logoOff"
  | "logoRestart";

/** One device command: how it is asked, how its answer is read, how it may be repeated. */
export interface Action {
  readonly command: number;
  /** Template of the data; see `template.ts`. */
  readonly request: string;
  /**
   * Names of the answer's fields in order (an error number in front is not one of them), or a
   * pattern with named groups for answers that are not a list.
   */
  readonly reply?: readonly string[] | RegExp;
  /** True when it only reads: then a state of the printer, such as no paper, never fails it. */
  readonly reads?: true;
  readonly limit?: CommandLimit;
  readonly resend?: ResendPolicy;
  readonly demands?: Demand;
}

export interface IslDialect {
  /** Short name for the log. */
  readonly name: string;
  readonly generation: Generation;
  /** Which devices speak it, by what they say of themselves. */
  readonly identify: {
    readonly serial: RegExp;
    /** The name of the model; a device that does not tell one has an empty name. */
    readonly model: RegExp;
    /** Where it matters, the version of its firmware. */
    readonly firmware?: RegExp;
    /**
     * How a short answer to command 90 reads: groups `model`, `firmware`, `serial` and `memory`.
     * Left out, it is the list of the P devices.
     */
    readonly answer?: RegExp;
    /** True when the serial number may have to be asked for with command 123. */
    readonly tellsSerialApart?: true;
  };
  readonly manufacturer: string;
  readonly codePage: CodePage;
  /** True when each answer begins with an error number. */
  readonly numbersErrors: boolean;
  /** Stands between, or after, the fields of an answer. */
  readonly fieldSeparator: "\t" | ",";
  /** What an amount without a decimal point counts. */
  readonly wholeAmounts: "units" | "minor";
  readonly statusTable: StatusTable;
  /** Where a status byte holds the number of the last error. */
  readonly errorNumbers?: ErrorNumbers;
  readonly actions: Readonly<Partial<Record<ActionName, Action>>>;
  /** What the journal calls its documents, where `journalDocument` asks for one. */
  readonly journalKinds?: {
    /** Sales and stornos, invoices and credit notes among them. */
    readonly receipts: readonly string[];
    /** All that is no receipt. */
    readonly others: readonly string[];
    /** Those of `others` that are cancelled receipts; undefined where the journal has none. */
    readonly cancelled?: string;
  };

  /** How the device names VAT groups 1, 2, 3 and on. */
  readonly vatGroups: readonly string[];
  /** The rate that switches a group off, where there is such a rate. */
  readonly vatOffRate: string | undefined;
  /** The tenders the device knows, and what it calls them. */
  readonly tenders: Readonly<Partial<Record<PaymentMethod, string>>>;
  /** In which of them a storno can be paid back, where not in all. */
  readonly stornoTenders?: readonly PaymentMethod[];
  /** How the adjustments of a receipt's sum are written; absent where the driver takes none. */
  readonly adjustments?: { readonly discount: string; readonly surcharge: string };
  readonly stornoReasons: Readonly<Record<ReversalReason, string>> | undefined;
  /** Where there is no storno, that in words, for whoever asks for one. */
  readonly noStorno?: string;
  /** True when the law behind the device wants the unique sale number on each document. */
  readonly wantsUniqueSaleNumber: boolean;
  /** Written with `text` before the customer's code; undefined when the opening frame takes it. */
  readonly customerText: string | undefined;
  /** The unit of measure of items without one, where the device wants it. */
  readonly defaultUnit: string;

  readonly operators: {
    readonly max: number;
    readonly nameLength: number;
    readonly passwordLength: { readonly min: number; readonly max: number };
    /** Models that come with `0000`; the others come with the operator's number. */
    readonly zeroPasswordModels: RegExp;
    /** What those come with when it is not `0000`. */
    readonly zeroPassword?: string;
  };
  /** Lines that one receipt takes. */
  readonly salesMax: number;
  /** Characters that fit; longer text is cut. */
  readonly widths: {
    readonly name: number;
    readonly nameLines: 1 | 2;
    readonly unit: number;
    /** Line width when the device does not tell its print columns. */
    readonly line: number;
    /** Columns that text lines cannot use. */
    readonly lineMargin: number;
  };
  readonly header: { readonly lines: number; readonly firstIndex: number };
  readonly footer: { readonly lines: number; readonly firstIndex: number };
  /** True when the clock is told with a mark for daylight saving time. */
  readonly clockMarksDaylight: boolean;
  /**
   * What the answer to a report holds after its number: the turnover of each group and, where
   * there are `reversals`, the reversals of each; `skip` fields stand before either.
   */
  readonly reportSums: { readonly skip: number; readonly reversals: boolean };
  readonly logo: LogoFormat | undefined;
}

/** How a device takes its logo: a whole 1-bit BMP file in pieces, or rows of dots. */
export type LogoFormat =
  | { readonly kind: "file"; readonly partCharacters: number; readonly bytesMax: number }
  | { readonly kind: "rows"; readonly rows: number; readonly rowBytes: number };
