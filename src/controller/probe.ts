/**
 * One question on an open line: lets a driver find out what is there. Whoever is silent is given up
 * sooner than the driver would, because most addresses have no device.
 */

import type { DeviceAddress } from "#core/device/detection.ts";
import type { DeviceInfo } from "#core/device/device.ts";
import type { Driver, DriverEnvironment, DriverSession, Line } from "#core/driver.ts";
import { FiscalError, type FiscalErrorCode, UnknownDevice } from "#core/errors.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";

/** Every protocol asks at least twice within this time, and its devices answer in a tenth of it. */
export const SILENCE_LIMIT_MS = 2_000;
/** How long a driver may talk with something that answers. */
export const PROBE_LIMIT_MS = 10_000;
/** Random numbers of a driver stay below this. */
const RANDOM_BOUND = 16;

export interface ProbeEnvironment {
  readonly clock: Clock;
  readonly log: Log;
  /** A random integer in 0..bound-1. */
  random(bound: number): number;
  /** @throws FiscalError */
  openLine(address: DeviceAddress, options: OpenLimit): Promise<Line>;
}

/** How long a device of the network may take to be connected to. */
export interface OpenLimit {
  readonly connectTimeoutMs: number;
}

/** What came of a question. */
export type ProbeOutcome =
  | { readonly kind: "found"; readonly info: DeviceInfo }
  /** It speaks the driver's protocol, but the driver does not know it. */
  | { readonly kind: "unknown_device"; readonly model: string }
  /** It answered, and then would not go on; it said why. */
  | { readonly kind: "refused"; readonly message: string }
  /** It answered, but not as the driver's protocol has it. */
  | { readonly kind: "unrecognized" }
  | { readonly kind: "silent" }
  /** It ended the line without a word. */
  | { readonly kind: "hung_up" }
  | NotOpened
  | { readonly kind: "ended" };

interface NotOpened {
  readonly kind: "not_opened";
  readonly message: string;
  /** Absent for a defect. */
  readonly code?: FiscalErrorCode;
}

/** Opens a line to ask on. Never rejects. @param options whose signal ends the attempt at once */
export async function openToProbe(
  address: DeviceAddress,
  environment: ProbeEnvironment,
  { signal, ...limit }: OpenLimit & { readonly signal: AbortSignal },
): Promise<{ readonly kind: "opened"; readonly line: Line } | NotOpened | { kind: "ended" }> {
  const opening = environment.openLine(address, limit);
  const line = await waitFor(opening, signal, (late) => late.close());
  if (line.kind === "ended") return line;
  if (line.kind === "failed") return notOpened(line.error, environment.log);
  return { kind: "opened", line: line.value };
}

/** Who asks, and what it is to know. */
export interface Question {
  readonly driver: Driver;
  /** What its protocol has learnt at this address. */
  readonly remembered: Map<string, string>;
}

/**
 * Asks. Never rejects for anything that the other end does.
 * @param line is closed at the end
 * @param signal ends the question at once
 */
export async function probe(
  { driver, remembered }: Question,
  line: Line,
  { environment, signal }: { readonly environment: ProbeEnvironment; readonly signal: AbortSignal },
): Promise<ProbeOutcome> {
  const watched = new WatchedLine(line, environment.clock);
  const giveUp = () => watched.giveUp();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    const connecting = driver.connect(watched, driverEnvironment(environment, remembered));
    const session = await waitFor<DriverSession>(connecting, watched.ended, (late) => {
      late.close();
    });
    if (signal.aborted) return { kind: "ended" };
    if (session.kind === "done") {
      const { info } = session.value;
      session.value.close();
      return { kind: "found", info };
    }
    if (!watched.heardAnything) return { kind: watched.wasLost ? "hung_up" : "silent" };
    return session.kind === "failed"
      ? judged(session.error, environment.log)
      : { kind: "unrecognized" };
  } finally {
    signal.removeEventListener("abort", giveUp);
    watched.close();
  }
}

function notOpened(error: unknown, log: Log): NotOpened {
  if (error instanceof FiscalError) {
    return { kind: "not_opened", message: error.message, code: error.code };
  }
  log.error("line not opened", { error });
  return { kind: "not_opened", message: "The line could not be opened" };
}

function judged(error: unknown, log: Log): ProbeOutcome {
  // A driver that stumbles over what a foreign device says must not keep the others from asking.
  if (!(error instanceof FiscalError)) log.error("driver failed to detect", { error });
  if (error instanceof UnknownDevice) return { kind: "unknown_device", model: error.model };
  // The line was open: it is the device itself that turned the driver away.
  if (error instanceof FiscalError && error.code === "E100") {
    return { kind: "refused", message: error.message };
  }
  return { kind: "unrecognized" };
}

/**
 * What a driver may use while it asks. Drivers take the number of their first frame at random. Of
 * the numbers they may take only the lowest are used, which are no letters: a device that takes
 * plain text for commands would find one in any other.
 */
function driverEnvironment(
  { clock, log, random }: ProbeEnvironment,
  remembered: Map<string, string>,
): DriverEnvironment {
  return {
    now: () => clock.now(),
    setTimer: (ms, callback) => clock.setTimer(ms, callback),
    random: (bound) => random(Math.min(bound, RANDOM_BOUND)),
    timezone: "UTC",
    currency: "EUR",
    remembered,
    note: (action, details) => log.info("detection did something to a device", { action, details }),
    log: (_level, sentence, fields) => log.debug(sentence, fields),
  };
}

/** A line with limits: for silence from the first byte that is sent, and for the whole talk. */
class WatchedLine implements Line {
  readonly #line: Line;
  readonly #clock: Clock;
  readonly #over = new AbortController();
  readonly #cancelLimit: () => void;
  #cancelSilence: (() => void) | undefined;
  #heardAnything = false;
  #wasLost = false;
  #isClosed = false;
  #tellClosed: ((error: Error) => void) | undefined;

  constructor(line: Line, clock: Clock) {
    this.#line = line;
    this.#clock = clock;
    this.#cancelLimit = clock.setTimer(PROBE_LIMIT_MS, () => this.giveUp());
  }

  get heardAnything(): boolean {
    return this.#heardAnything;
  }

  /** True when the other end closed it. */
  get wasLost(): boolean {
    return this.#wasLost;
  }

  /** Aborted when the driver is not waited for any longer. */
  get ended(): AbortSignal {
    return this.#over.signal;
  }

  write(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    if (!this.#heardAnything) {
      this.#cancelSilence ??= this.#clock.setTimer(SILENCE_LIMIT_MS, () => this.giveUp());
    }
    this.#line.write(bytes);
  }

  listen(listener: Parameters<Line["listen"]>[0]): void {
    this.#tellClosed = (error) => listener.closed(error);
    this.#line.listen({
      data: (chunk) => {
        this.#heardAnything = true;
        this.#cancelSilence?.();
        listener.data(chunk);
      },
      closed: (error) => {
        this.#wasLost = true;
        listener.closed(error);
      },
    });
  }

  /** Ends the talk; the driver is told that its line is gone, so that it stops. */
  giveUp(): void {
    this.close();
    const tellClosed = this.#tellClosed;
    this.#tellClosed = undefined;
    tellClosed?.(new FiscalError("E102", "Detection gave the line up"));
    this.#over.abort();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelSilence?.();
    this.#cancelLimit();
    this.#line.close();
  }
}

type Waited<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "ended" };

/** Waits for a promise until the signal; what comes after that is handed to `late`. */
function waitFor<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  late: (value: T) => void,
): Promise<Waited<T>> {
  return new Promise((resolve) => {
    let isOver = signal.aborted;
    const end = () => {
      isOver = true;
      resolve({ kind: "ended" });
    };
    if (isOver) end();
    signal.addEventListener("abort", end, { once: true });
    promise.then(
      (value) => {
        signal.removeEventListener("abort", end);
        if (isOver) late(value);
        else resolve({ kind: "done", value });
      },
      (error: unknown) => {
        signal.removeEventListener("abort", end);
        resolve({ kind: "failed", error });
      },
    );
  });
}
