/** The memory of a simulated device at work: its books, the file they are in, and its clock. */

import type { BookModel, Books, Conditions, PrintedDocument } from "./books.ts";
import type { BookEntry } from "./entries.ts";
import { type Decision, isRefusal, type Refusal } from "./refusal.ts";
import type { RuleContext } from "./rules.ts";
import type { StateFile } from "./state-file.ts";

export interface MemoryOptions {
  readonly file: StateFile;
  readonly model: BookModel;
  /** UTC milliseconds of the computer. */
  readonly now: () => number;
  /** Hears each document once it is on paper. */
  readonly printed?: (document: PrintedDocument) => void;
  /** Hears of every change of the books, after what it printed. */
  readonly changed?: () => void;
}

export class DeviceMemory {
  readonly books: Books;
  readonly model: BookModel;
  readonly #options: MemoryOptions;
  /** Documents registered while there was no paper; at most as many as are kept as recent. */
  #waiting: PrintedDocument[] = [];

  constructor(options: MemoryOptions) {
    this.#options = options;
    this.books = options.file.books;
    this.model = options.model;
  }

  /** The command that is being executed is to be refused as malformed. */
  isRefusing = false;

  /** The command that is being executed is to be answered as if it had been refused. */
  isDenying = false;

  /** UTC milliseconds of the computer, whatever the device's clock is set to. */
  now(): number {
    return this.#options.now();
  }

  /** The reading of the device's clock: its local time as if it were UTC, in milliseconds. */
  clock(): number {
    const { clockOffsetMs, conditions } = this.books;
    return this.#options.now() + clockOffsetMs + conditions.clockShiftMs;
  }

  /** What the rules look at, as of now. */
  context(): RuleContext {
    return { books: this.books, model: this.model, at: this.clock() };
  }

  /** Makes the change a rule decided on; the refusal when it decided against. */
  carryOut(decision: Decision): Refusal | undefined {
    if (isRefusal(decision)) return decision;
    this.commit(decision.entry);
    return undefined;
  }

  /** Makes a change, in the state file first. */
  commit(entry: BookEntry): void {
    const { recent } = this.books;
    const before = recent[recent.length - 1];
    this.#options.file.commit(entry);
    const last = recent[recent.length - 1];
    if (last && last !== before) this.#print(last);
    if (entry.entry === "conditions" && entry.conditions.paper !== "out") this.#printWaiting();
    this.#options.changed?.();
  }

  /** Changes what the outside does to the device; nothing is written where all is so already. */
  setConditions(change: Partial<Conditions>): void {
    const before = this.books.conditions;
    const conditions = { ...before, ...change };
    const names = Object.keys(conditions) as (keyof Conditions)[];
    if (names.every((name) => conditions[name] === before[name])) return;
    this.commit({ entry: "conditions", conditions });
  }

  #print(document: PrintedDocument): void {
    if (!this.#options.printed) return;
    if (this.books.conditions.paper !== "out") this.#options.printed(document);
    else if (this.#waiting.length < this.books.recent.length) this.#waiting.push(document);
  }

  #printWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const document of waiting) this.#options.printed?.(document);
  }
}
