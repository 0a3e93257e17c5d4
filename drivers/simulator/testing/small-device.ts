/** A small device's books without any protocol, for tests. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BookModel } from "../books/books.ts";
import { newBookState } from "../books/books.ts";
import { DeviceMemory } from "../books/memory.ts";
import { closeReceipt, openSale, pay, type SaleRequest, sellLine } from "../books/receipt-rules.ts";
import type { Decision, RefusalReason } from "../books/refusal.ts";
import { StateFile, type StateFileOptions } from "../books/state-file.ts";

export const SMALL_MODEL: BookModel = {
  operatorCount: 2,
  operatorPassword: () => "0000",
  vat: [0, 2000, 900].map((rateBasisPoints) => ({ rateBasisPoints, enabled: true })),
  vatChanges: 2,
  headerLines: 2,
  footerLines: 1,
  header: ["SHOP"],
  footer: [],
  salesPerReceiptMax: 5,
  documentsMax: 20,
  zRecordsMax: 3,
  zRecordsLow: 2,
  coverSensor: true,
};

export const START = Date.UTC(2024, 2, 15, 14, 0, 0);
const IDENTITY = { driver: "vendorA.isl", model: "small" };

export const OPEN = {
  operator: 1,
  password: "0000",
  till: 1,
  uniqueSaleNumber: undefined,
  invoice: false,
};

export const LINE: SaleRequest = {
  name: "A",
  group: 2,
  priceMinor: 100,
  quantityMilli: 1000,
  adjustment: { kind: "none" },
  department: undefined,
  unit: undefined,
  groupParameter: 2,
};

export class SmallDevice {
  readonly file: StateFile;
  readonly memory: DeviceMemory;
  now = START;

  constructor(options: Partial<StateFileOptions> = {}) {
    this.file = new StateFile({
      path: join(newFolder(), "device.state"),
      identity: IDENTITY,
      initial: () => newBookState(SMALL_MODEL, START, 0),
      ...options,
    });
    this.memory = new DeviceMemory({ file: this.file, model: SMALL_MODEL, now: () => this.now });
  }

  get books() {
    return this.memory.books;
  }

  get context() {
    return this.memory.context();
  }

  /** Makes a change that must be allowed. */
  allow(decision: Decision): void {
    const refusal = this.memory.carryOut(decision);
    if (refusal) throw new Error(`refused: ${refusal.refused}`);
  }

  /** The reason of a change that must not be. */
  refusal(decision: Decision): RefusalReason | undefined {
    return this.memory.carryOut(decision)?.refused;
  }

  /** A whole receipt of one line. */
  print(line: Partial<SaleRequest> = {}): void {
    this.allow(openSale(this.context, OPEN));
    this.allow(sellLine(this.context, { ...LINE, ...line }));
    this.allow(pay(this.context, { tender: "cash", amountMinor: undefined }));
    this.allow(closeReceipt(this.context));
  }

  /** The books as plain values, to compare. */
  plain(): unknown {
    const { receipts, ...rest } = this.books;
    return structuredClone({ ...rest, receipts: [...receipts.after(0)] });
  }
}

let parent: string | undefined;

/** A folder of its own for each device. */
function newFolder(): string {
  parent ??= mkdtempSync(join(tmpdir(), "fiscald-books-"));
  return mkdtempSync(join(parent, "device-"));
}

/** Removes the folders of all devices up to now, when a file's tests are over. */
export function removeFolders(): void {
  if (parent !== undefined) rmSync(parent, { recursive: true, force: true });
  parent = undefined;
}
