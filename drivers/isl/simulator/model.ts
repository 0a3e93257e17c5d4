/** What makes one simulated ISL model differ from another. */

import type { StornoReason, Tender } from "../../simulator/books.ts";
import type { SimulatedModel } from "../../simulator/family.ts";
import type { Generation } from "../frame.ts";
import type { CommandTable } from "./call.ts";

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
}

export interface IslModel extends Omit<SimulatedModel, "face"> {
  readonly generation: Generation;
  /** Romanian devices have no unique sale numbers and no storno documents. */
  readonly country: "bg" | "ro";
  readonly currency: string;
  readonly codePage: "windows-1251" | "windows-1252";
  readonly identity: IslIdentity;
  readonly status: StatusTraits;
  /** VAT group 1, 2, ... as commands name it. */
  readonly groups: readonly string[];
  readonly tenders: Readonly<Record<string, Tender>>;
  readonly stornoReasons: Readonly<Record<string, StornoReason>>;
  /** Most data bytes the device takes in one command. */
  readonly requestBytesMax: number;
  /** Characters of an item name and of a text line. */
  readonly widths: { readonly name: number; readonly line: number };
  readonly passwordDigits: { readonly least: number; readonly most: number };
  readonly departmentMax: number;
  /** Whether sales of short frames may name a unit of measure. */
  readonly unitOfMeasure: boolean;
  /** How texts of short frames begin when they set their size. */
  readonly style: "font" | "height";
  readonly drawerMs: { readonly least: number; readonly most: number };
  readonly logo: { readonly rows: number; readonly rowBytes: number };
  readonly commands: CommandTable;
}
