/** Time as everything but this file sees it: injected, so that tests decide how fast it passes. */

/** The longest delay `setTimeout` takes; a longer one would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Where instants and delays come from. */
export interface Clock {
  /** UTC milliseconds since 1970. */
  now(): number;
  /** Milliseconds since some instant: passes evenly, whatever is done to the wall clock. */
  elapsed(): number;
  /**
   * Calls back once, `ms` milliseconds from now or as soon as possible after that, behind whatever has come in
   * until then.
   * @param ms 0 or more, without an upper bound; a fraction is rounded up
   * @returns cancels the call; harmless when it has been made already
   * @throws RangeError when `ms` is negative or not a finite number
   */
  setTimer(ms: number, callback: () => void): () => void;
  /**
   * Like `setTimer`, for a delay that means nothing to anybody but the machine, as while writes
   * gather for one commit. It always passes in real time: simulated time stands still meanwhile.
   */
  setMachineTimer(ms: number, callback: () => void): () => void;
}

/** The program is younger than this: a clock before it has not been set yet. UTC milliseconds. */
export const CLOCK_FLOOR = Date.UTC(2026, 0, 1);

function requireDelay(ms: number): void {
  if (!Number.isFinite(ms) || ms < 0) {
    throw new RangeError(`a timer needs a finite delay of 0 ms or more, not ${ms}`);
  }
}

/**
 * Turns of the event loop in which what waits in sockets is read. Bun (1.4) calls timers that are due before
 * it reads, and reads in the second turn behind them.
 */
const READING_TURNS = 3;

/**
 * The machine's clock. What came while this process stood still, for a slow disk or a machine that slept, is
 * taken before the timers that became due meanwhile: else each answer that waits to be read would be a silence.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimer(ms, callback) {
    let turn: ReturnType<typeof setImmediate> | undefined;
    const takeTurn = (left: number): void => {
      if (left === 0) callback();
      else turn = setImmediate(() => takeTurn(left - 1));
    };
    const cancel = systemClock.setMachineTimer(ms, () => takeTurn(READING_TURNS));
    return () => {
      cancel();
      clearImmediate(turn);
    };
  },
  setMachineTimer(ms, callback) {
    requireDelay(ms);
    let remainingMs = Math.ceil(ms);
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      const stepMs = Math.min(remainingMs, TIMER_MS_MAX);
      remainingMs -= stepMs;
      timer = setTimeout(remainingMs === 0 ? callback : wait, stepMs);
    };
    wait();
    return () => clearTimeout(timer);
  },
};

interface FakeTimer {
  /** By `elapsed`. */
  readonly dueAt: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock for tests: stands still until it is told to move. */
export class FakeClock implements Clock {
  #elapsed = 0;
  /** What `now` is when `elapsed` is 0. */
  #origin: number;
  #order = 0;
  readonly #timers = new Set<FakeTimer>();
  #machineTimers = 0;

  /** @param startAt UTC milliseconds; the default is 2026-01-15T10:00:00.000Z */
  constructor(startAt: number = Date.UTC(2026, 0, 15, 10)) {
    this.#origin = startAt;
  }

  now(): number {
    return this.#origin + this.#elapsed;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  setTimer(ms: number, callback: () => void): () => void {
    requireDelay(ms);
    const timer = { dueAt: this.#elapsed + Math.ceil(ms), order: this.#order++, callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  setMachineTimer(ms: number, callback: () => void): () => void {
    this.#machineTimers += 1;
    let isOver = false;
    const end = (): boolean => {
      if (isOver) return false;
      isOver = true;
      this.#machineTimers -= 1;
      return true;
    };
    const cancel = systemClock.setMachineTimer(ms, () => {
      if (end()) callback();
    });
    return () => {
      if (end()) cancel();
    };
  }

  /** Machine timers that are set and have not fired: something will happen without the clock. */
  get pendingMachineTimers(): number {
    return this.#machineTimers;
  }

  /** Timers that are set and have not fired: what a clean shutdown leaves at 0. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer is due, 0 when one is due already; undefined without any. */
  get nextTimerMs(): number | undefined {
    let nextMs: number | undefined;
    for (const { dueAt } of this.#timers) {
      const ms = Math.max(0, dueAt - this.#elapsed);
      if (nextMs === undefined || ms < nextMs) nextMs = ms;
    }
    return nextMs;
  }

  /**
   * Moves on by `ms` and fires what becomes due, in order of time; timers that a callback sets
   * fire too when they fall within the span. With 0 it fires what is due already.
   */
  advance(ms: number): void {
    const end = this.#elapsed + ms;
    for (let due = this.#takeDue(end); due !== undefined; due = this.#takeDue(end)) due();
    this.#elapsed = end;
  }

  /** Like `advance`, but lets pending promises run before the first and after each timer. */
  async advanceAsync(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await nextTurn();
    for (let due = this.#takeDue(end); due !== undefined; due = this.#takeDue(end)) {
      due();
      await nextTurn();
    }
    this.#elapsed = end;
  }

  /** Lets time pass in which nothing runs, as while the process is stopped: timers fire later. */
  stall(ms: number): void {
    this.#elapsed += ms;
  }

  /** Jumps to an instant without firing timers, as a corrected wall clock does. */
  jumpTo(instant: number): void {
    this.#origin = instant - this.#elapsed;
  }

  #takeDue(end: number): (() => void) | undefined {
    let next: FakeTimer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueAt > end) continue;
      const isEarlier =
        next === undefined ||
        timer.dueAt < next.dueAt ||
        (timer.dueAt === next.dueAt && timer.order < next.order);
      if (isEarlier) next = timer;
    }
    if (next === undefined) return undefined;
    this.#timers.delete(next);
    this.#elapsed = Math.max(this.#elapsed, next.dueAt);
    return next.callback;
  }
}

/** One turn of the event loop, after which every promise chain that needs no I/O has run. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
