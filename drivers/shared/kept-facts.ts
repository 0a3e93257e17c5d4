/**
 * What a driver has read of a device and keeps, so that no receipt has to ask for it again. Others
 * use the device too: they make Z reports, set its clock and, on a closed day, its VAT table. So
 * each fact is kept no longer than it holds:
 *
 * - The number of the last Z report is read again with the state of an idle device, and before a
 *   document where what the device shows of its papers has moved since, and not by ours alone; at
 *   Shtrih-M it is part of the state. When the number has moved, the day was closed: nothing of
 *   before holds for the VAT table and the day.
 * - A document that depends on the VAT table has it read right before (`planByRates`).
 * - That the day is overdue holds until a document is printed.
 */

import { type CommandType, waitsForPerson } from "#core/command/catalogue.ts";
import type { DriverEnvironment } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";

/**
 * For how long the number of the last Z report is not read again, in ms: less than the pause
 * between two polls of an idle device, while a device that has just sold is not asked each time.
 */
const Z_NUMBER_AGE_MS = 20_000;

/** What is known of the fiscal day; null when it is not. */
export interface DayState {
  readonly open: boolean | null;
  readonly closeRequired: boolean | null;
}

const UNKNOWN_DAY: DayState = { open: null, closeRequired: null };

/** The facts of one line; `VatTable` is what the protocol keeps of the device's groups. */
export class KeptFacts<VatTable> {
  readonly #environment: Pick<DriverEnvironment, "now">;
  #zNumber: number | null = null;
  /** When that was read last, by our clock; undefined when it may have moved since. */
  #zReadAt: number | undefined;
  /** What the device showed of its papers right before, and shows now if all since are ours. */
  #papers: string | undefined;
  #day = UNKNOWN_DAY;
  /** True where the device itself has said whether the day must be closed. */
  #isDayTold = false;
  #vatTable: VatTable | undefined;
  /** What to add to our clock to get the device's; null when it was not readable. */
  #clockOffsetMs: number | null = null;

  constructor(environment: Pick<DriverEnvironment, "now">) {
    this.#environment = environment;
  }

  /** Number of the last Z report as last read; null when the device does not tell. */
  get zNumber(): number | null {
    return this.#zNumber;
  }

  get day(): DayState {
    return this.#day;
  }

  /** The VAT table as last read; undefined when it must be read (again). */
  get vatTable(): VatTable | undefined {
    return this.#vatTable;
  }

  /** @param table as it was just read; undefined when something may have changed it */
  keepVatTable(table: VatTable | undefined): void {
    this.#vatTable = table;
  }

  /** @param read reads the number of the last Z report and notes it; not called while it is fresh */
  async refresh(read: () => Promise<unknown>): Promise<void> {
    const ageMs = this.#environment.now() - (this.#zReadAt ?? Number.NEGATIVE_INFINITY);
    // A clock that was set back says nothing of the age.
    if (ageMs >= 0 && ageMs < Z_NUMBER_AGE_MS) return;
    await read();
  }

  /**
   * Reads the number of the last Z report, unless it was read while the device showed the same.
   * @param papers what it shows of its papers, as just read: others who close its day change that
   * @param read as for `refresh`
   */
  async refreshBehind(papers: string, read: () => Promise<unknown>): Promise<void> {
    if (papers === this.#papers) return;
    await read();
    this.#papers = papers;
  }

  /** A paper of ours, and nothing else, made the device show the one in the place of the other. */
  notePaper({ before, after }: { readonly before: string; readonly after: string }): void {
    if (this.#papers === before) this.#papers = after;
  }

  /** The number of the last Z report was read. @param number null when the device did not tell */
  noteZNumber(number: number | null): void {
    this.#zReadAt = this.#environment.now();
    if (number === null || number === this.#zNumber) return;
    const isFirst = this.#zNumber === null;
    this.#zNumber = number;
    if (isFirst) return;
    this.#vatTable = undefined;
    this.#noteDay({ open: null, closeRequired: false });
  }

  /** A Z report of ours closed the day. @param number its number; null when it is not known */
  noteDayClosed(number: number | null): void {
    this.#zReadAt = this.#environment.now();
    // A device that shows the same behind it would not be asked again.
    if (number === null) this.#papers = undefined;
    this.#zNumber = number;
    this.#vatTable = undefined;
    this.#noteDay({ open: false, closeRequired: false });
  }

  /** A document of ours was printed: a device whose day is overdue prints none. */
  notePrinted(): void {
    // What the device says of it counts for more, until it says something else.
    const closeRequired = this.#isDayTold ? this.#day.closeRequired : false;
    this.#day = { open: true, closeRequired };
  }

  /** The device itself says whether its day must be closed. */
  noteCloseRequired(closeRequired: boolean): void {
    this.#noteDay({ ...this.#day, closeRequired });
    this.#isDayTold = true;
  }

  /** A command failed. @param error whatever was thrown */
  noteFailure(type: CommandType, error: unknown): void {
    if (meansOverdue(type, error)) this.#noteDay({ ...this.#day, closeRequired: true });
  }

  /** Nobody knows what was changed. The Z number stands until it is read again. */
  forget(): void {
    this.#zReadAt = undefined;
    this.#vatTable = undefined;
    this.#noteDay(UNKNOWN_DAY);
  }

  /**
   * The device's clock was read or set.
   * @param instant what it shows, in UTC milliseconds
   * @param stepMs how finely it tells: within one step of ours it may as well be right
   */
  noteClock(instant: number, stepMs = 0): void {
    const behind = this.#environment.now() - instant;
    this.#clockOffsetMs = behind >= 0 && behind < stepMs ? 0 : -behind;
  }

  /** What the device's clock shows now, by its last reading; null when there was none. */
  clockNow(): number | null {
    const offset = this.#clockOffsetMs;
    return offset === null ? null : this.#environment.now() + offset;
  }

  #noteDay(day: DayState): void {
    this.#day = day;
    this.#isDayTold = false;
  }
}

/**
 * True for a refusal that says that the day is overdue. A Z report is refused for other reasons,
 * and a setting that only a closed day takes says nothing of how long this one may last: only what
 * prints, or moves cash, fails for an overdue day alone.
 */
function meansOverdue(type: CommandType, error: unknown): boolean {
  const isRefused = error instanceof FiscalError && error.code === "E303";
  return isRefused && type !== "z_report" && waitsForPerson(type);
}
