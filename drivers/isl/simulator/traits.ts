/** What makes one simulated ISL model differ from another, besides its commands. */

import type { StornoReason, Tender } from "../../simulator/books/receipt.ts";
import type { RefusalReason } from "../../simulator/books/refusal.ts";
import type { SimulatedModel } from "../../simulator/family.ts";
import type { Generation } from "../frame.ts";
import type { CodePage } from "./code-page.ts";

/** Identification as commands 90 and 123 tell it. */
export interface IslIdentity {
  readonly name: string;
  readonly firmware: string;
  readonly firmwareDate: string;
  readonly firmwareTime: string;
  readonly checksum: string;
  readonly switches: string;
  readonly serialNumber: string;
  readonly fiscalMemory: string;
  readonly taxId: string;
  /** What the tax number is called on paper; some devices tell it with the number. */
  readonly taxLabel: string | undefined;
}

/** Sensors and flags that status bytes show on some models only. */
export interface StatusTraits {
  readonly clock: boolean;
  readonly cover: boolean;
  readonly paperLow: boolean;
  readonly journal: boolean;
  readonly stornoOpen: boolean;
  /** What always stands in bytes 0, 4 and 5 of a device in service. */
  readonly inService: { readonly byte0: number; readonly byte4: number; readonly byte5: number };
}

/** A status bit that may stand for weeks, while the device carries out what it is sent. */
export interface StandingWarning {
  readonly byte: number;
  readonly bit: number;
  /** Whether the general error is set along with it. */
  readonly setsGeneralError?: true;
}

/** How a device shows the reason of a refusal in status byte 3. */
export interface RefusalNumber {
  readonly number: number;
  /** What byte 1 shows besides; "not permitted" when left out. */
  readonly byte1?: number;
}

/** All of a model but its commands, which read this. */
export interface IslTraits extends Omit<SimulatedModel, "responder" | "senses" | "numbered"> {
  readonly generation: Generation;
  /** Romanian devices have no unique sale numbers and no storno documents. */
  readonly country: "bg" | "ro";
  readonly currency: string;
  readonly codePage: CodePage;
  readonly identity: IslIdentity;
  readonly status: StatusTraits;
  /** VAT group 1, 2, ... as commands name it. */
  readonly groups: readonly string[];
  readonly tenders: Readonly<Record<string, Tender>>;
  /** What devices of short frames take any other letter for; those without refuse it. */
  readonly otherTender?: Tender;
  readonly stornoReasons: Readonly<Record<string, StornoReason>>;
  /** Most data bytes the device takes in one command. */
  readonly requestBytesMax: number;
  /** Characters of an item name and of a text line. */
  readonly widths: { readonly name: number; readonly line: number };
  readonly passwordDigits: { readonly least: number; readonly most: number };
  readonly departmentMax: number;
  /** Whether sales of short frames may name a unit of measure. */
  readonly unitOfMeasure: boolean;
  /** How short frames write amounts in answers. */
  readonly amounts: "digits" | "decimals";
  /** The same of cash in the drawer. */
  readonly cashAmounts: "digits" | "decimals";
  /** Most lines of paper that one command feeds. */
  readonly feedLinesMax: number;
  /** What stands before the amount of an adjustment in short frames. */
  readonly adjustmentMark: ";" | "$";
  /** Whether what 76 counts of the last receipt outlasts the device's power. */
  readonly keepsLastReceipt: boolean;
  /** What makes a frame a repeat of the last one. */
  readonly repeats: "number" | "number_and_command";
  readonly refusalNumbers: Readonly<Partial<Record<RefusalReason, RefusalNumber>>>;
  /** The warnings that its status bytes have. */
  readonly warnings: readonly StandingWarning[];
  /**
   * Whether all of these stand. Then the general error, and a number where the model has them, are
   * all that tells a refusal from a command that was carried out.
   */
  readonly isWarned: boolean;
  /** Whether a group that is switched off is told by its rate. */
  readonly tellsDisabledRates: boolean;
  /** Whether an operator's error can be taken back only out of the device's own fiscal memory. */
  readonly ownErrorsOnly: boolean;
  /** Whether a storno can only be paid back in cash. */
  readonly stornoInCashOnly: boolean;
  /** How texts of short frames begin when they set their size. */
  readonly style: "font" | "height";
  readonly drawerMs: { readonly least: number; readonly most: number };
  readonly logo: { readonly rows: number; readonly rowBytes: number };
}
