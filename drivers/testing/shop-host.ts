/**
 * A program that sells at a simulated device beside others: its frames take a while, its disk too,
 * and it can be killed and started again on what it has stored, as a gateway can.
 */

import { type Baseline, IS_AWAITED, type Mark } from "#core/command/marks.ts";
import type {
  CommandProgress,
  Driver,
  DriverCommand,
  DriverSession,
  Evidence,
  Line,
  LineListener,
} from "#core/driver.ts";
import { DocumentInDoubt, FiscalError, isLineFault } from "#core/errors.ts";
import type { Dice } from "./dice.ts";
import type { SimulatedDevice } from "./simulated-device.ts";

/** The longest way of a frame, and of its answer. */
const WAY_MS_MAX = 30;
/** One frame or answer in so many is held up, for so long at most: longer than a host waits. */
const HELD_UP_ONE_IN = 40;
const HELD_UP_MS_MAX = 1_200;
/** The longest that the disk takes. */
const DISK_MS_MAX = 10;
/** A mark that nobody waits for is on disk so much later. */
const KEPT_BACK_MS = 20;
/** The longest until it tries again, or runs again after it was killed. */
const PAUSE_MS_MAX = 400;
/** Attempts that a document in doubt may take until a person is asked. */
const LINES_MAX = 40;

/** What the program tells of a document in the end. */
export interface Told {
  readonly outcome: "printed" | "not_printed" | "unknown";
  readonly fiscalId: string | undefined;
  /** Why it is not printed, or not known. */
  readonly reason: string;
  /** How far it got. */
  readonly mark: Mark | undefined;
}

export class ShopHost {
  readonly #device: SimulatedDevice;
  readonly #driver: Driver;
  readonly #dice: Dice;
  #life: Life;

  constructor(device: SimulatedDevice, driver: Driver, dice: Dice) {
    this.#device = device;
    this.#driver = driver;
    this.#dice = dice;
    this.#life = new Life(device, dice);
  }

  /** Ends its process, whatever it does; it is started again. */
  kill(): void {
    this.#life.end();
  }

  /** Carries a document out, on as many lines and in as many lives as that takes. */
  async perform(command: DriverCommand): Promise<Told> {
    let evidence: Evidence | undefined;
    for (let lines = 0; ; lines += 1) {
      const life = this.#life;
      const progress = new StoredProgress(life, evidence);
      if (lines === LINES_MAX) return progress.tell("unknown", { reason: "The time is over" });
      const told = await Promise.race([this.#try(life, command, progress), life.ended]);
      if (typeof told === "object") return told;
      evidence = told === "killed" ? progress.stored() : progress.told();
      if (told === "killed") this.#life = new Life(this.#device, this.#dice);
      await this.#device.time.sleep(this.#dice(PAUSE_MS_MAX));
    }
  }

  /** On one line: tells the document's end, or that it is to be tried again on the next one. */
  async #try(
    life: Life,
    command: DriverCommand,
    progress: StoredProgress,
  ): Promise<Told | "again"> {
    const evidence = progress.told();
    try {
      const session = await life.session(this.#driver);
      if (!evidence) {
        const { fiscalId } = await session.execute(command, progress);
        return progress.tell("printed", { fiscalId });
      }
      const found = await session.resolve(command, evidence, (learned) => progress.keep(learned));
      if (found.outcome === "printed") {
        return progress.tell("printed", { fiscalId: found.success.fiscalId, reason: "resolved" });
      }
      const reason = found.outcome === "unknown" ? found.doubt.text : found.reason;
      return progress.tell(found.outcome, { reason });
    } catch (error) {
      if (!(error instanceof FiscalError || error instanceof DocumentInDoubt)) throw error;
      const isDoubtful = error instanceof DocumentInDoubt;
      if (isDoubtful || isLineFault(error)) life.hangUp();
      const isOver = !isDoubtful && !evidence && !(isLineFault(error) && !progress.told());
      return isOver ? progress.tell("not_printed", { reason: error.message }) : "again";
    }
  }
}

/** One run of the process. What it waits for when it is killed never comes. */
class Life {
  readonly ended: Promise<"killed">;
  readonly #device: SimulatedDevice;
  readonly #dice: Dice;
  /** What its driver remembers of the device ends with it. */
  readonly #remembered = new Map<string, string>();
  readonly #end: (word: "killed") => void;
  #session: DriverSession | undefined;
  #line: Line | undefined;
  #isOver = false;

  constructor(device: SimulatedDevice, dice: Dice) {
    this.#device = device;
    this.#dice = dice;
    const ended = Promise.withResolvers<"killed">();
    this.ended = ended.promise;
    this.#end = ended.resolve;
  }

  now(): number {
    return this.#device.time.now();
  }

  draw(bound: number): number {
    return this.#dice(bound);
  }

  async sleep(ms: number): Promise<void> {
    await this.#device.time.sleep(ms);
    if (this.#isOver) await new Promise(() => undefined);
  }

  /** The line as it is, or a new one. */
  async session(driver: Driver): Promise<DriverSession> {
    if (this.#session) return this.#session;
    const line = new SlowLine(await this.#device.openLine(), this.#device, this.#dice);
    this.#line = line;
    if (this.#isOver) line.close();
    const environment = { ...this.#device.environment(this.#remembered), random: this.#dice };
    try {
      this.#session = await driver.connect(line, environment);
    } catch (error) {
      line.close();
      throw error;
    }
    return this.#session;
  }

  hangUp(): void {
    this.#session?.close();
    this.#session = undefined;
  }

  end(): void {
    this.#isOver = true;
    this.#line?.close();
    this.#end("killed");
  }
}

/** A line on which everything takes a while, in either direction; it keeps its order. */
class SlowLine implements Line {
  readonly #line: Line;
  readonly #device: SimulatedDevice;
  readonly #dice: Dice;
  #isClosed = false;
  #arrivesAt = 0;
  #isHeardAt = 0;

  constructor(line: Line, device: SimulatedDevice, dice: Dice) {
    this.#line = line;
    this.#device = device;
    this.#dice = dice;
  }

  write(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    const copy = bytes.slice();
    this.#arrivesAt = this.#after(this.#arrivesAt, () => this.#line.write(copy));
  }

  listen(listener: LineListener): void {
    const hear = (happen: () => void) => {
      this.#isHeardAt = this.#after(this.#isHeardAt, () => {
        if (!this.#isClosed) happen();
      });
    };
    this.#line.listen({
      data: (chunk) => hear(() => listener.data(chunk)),
      closed: (error) => hear(() => listener.closed(error)),
    });
  }

  /** What was written before is still on its way. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#after(this.#arrivesAt, () => this.#line.close());
  }

  #after(earliest: number, callback: () => void): number {
    const { time } = this.#device;
    const isHeldUp = this.#dice(HELD_UP_ONE_IN) === 0;
    const wayMs = this.#dice(isHeldUp ? HELD_UP_MS_MAX : WAY_MS_MAX);
    const at = Math.max(earliest, time.now() + wayMs);
    time.clock.setTimer(at - time.now(), callback);
    return at;
  }
}

/** The marks of a command, and which of them are on disk. */
class StoredProgress implements CommandProgress {
  readonly pauseLimitMs = 10_000;
  readonly #life: Life;
  readonly #reports: { readonly evidence: Evidence; readonly storedAt: number }[] = [];

  /** @param evidence of earlier lines */
  constructor(life: Life, evidence: Evidence | undefined) {
    this.#life = life;
    if (evidence) this.#reports.push({ evidence, storedAt: life.now() });
  }

  async mark(mark: Mark, baseline?: Baseline): Promise<void> {
    const evidence = { mark, baseline: { ...this.told()?.baseline, ...baseline } };
    const waitMs = this.#life.draw(DISK_MS_MAX) + (IS_AWAITED[mark] ? 0 : KEPT_BACK_MS);
    this.#reports.push({ evidence, storedAt: this.#life.now() + waitMs });
    if (IS_AWAITED[mark]) await this.#life.sleep(waitMs);
  }

  async keep(learned: Baseline): Promise<void> {
    await this.mark(this.told()?.mark ?? "baseline", learned);
  }

  mayGoOn(): boolean {
    return true;
  }

  hasLimit(): boolean {
    return true;
  }

  paused(): void {}

  /** The last one. */
  told(): Evidence | undefined {
    return this.#reports.at(-1)?.evidence;
  }

  /** The last one that is on disk, and with it all before. */
  stored(): Evidence | undefined {
    const now = this.#life.now();
    const report = this.#reports.findLast(({ storedAt }) => storedAt <= now);
    return report && { ...report.evidence, mayBeFurther: true };
  }

  tell(
    outcome: Told["outcome"],
    { fiscalId, reason = "" }: Partial<Pick<Told, "fiscalId" | "reason">>,
  ): Told {
    return { outcome, fiscalId, reason, mark: this.told()?.mark };
  }
}
