/**
 * Faults that can be brought upon a simulated device, each at a chosen frame.
 *
 * Conditions (paper, cover, memory, day, clock) are facts of the device: they last until cleared
 * and survive its power. Line faults strike once, at the frame they are set for.
 */

import {
  CLOCK_SHIFT_MS_MAX,
  DEED_AMOUNT_MINOR_MAX,
  DEEDS,
  type Deed,
  FAULT_AT_MAX,
  FAULT_FRAMES_MAX,
  FAULT_KINDS,
  FAULT_MS_MAX,
  type FaultKind,
  isFaultKind,
} from "#core/device/simulated-faults.ts";

/** Lasting facts of the device. */
export type ConditionFault =
  /**
   * Paper runs out. `refused`: before the frame is executed, so a printing command is refused.
   * `registered`: while the frame is being printed, so it is executed, its answer carries the
   * paper fault, and what it prints waits for paper.
   */
  | { readonly kind: "paper_out"; readonly mode: "refused" | "registered" }
  | { readonly kind: "paper_low" }
  | { readonly kind: "cover_open" }
  | { readonly kind: "fiscal_memory_full" }
  | { readonly kind: "fiscal_memory_near_full" }
  /** The fiscal memory does not answer any more. */
  | { readonly kind: "hardware_error" }
  | { readonly kind: "day_over" }
  /** Shifts the device's clock. */
  | { readonly kind: "clock"; readonly shiftMs: number }
  /** The clock has lost the time. */
  | { readonly kind: "clock_lost" };

/** Faults of line and power. */
export type LineFault =
  | { readonly kind: "drop_before" }
  | { readonly kind: "drop_after" }
  | { readonly kind: "garble" }
  /** Executes, and answers `ms` later; `busy`: says meanwhile that it is working. */
  | { readonly kind: "delay"; readonly ms: number; readonly busy: boolean }
  /** Refuses the frame as malformed and does not execute it. */
  | { readonly kind: "refuse" }
  /** Executes the frame and answers as if it had refused it. */
  | { readonly kind: "deny" }
  /** Neither executes nor answers `count` frames. */
  | { readonly kind: "silent"; readonly count: number }
  /** Executes `count` frames and answers none. */
  | { readonly kind: "silent_after"; readonly count: number }
  /** Executes `count` frames and keeps the answer to each until it is released. */
  | { readonly kind: "hold"; readonly count: number }
  /** Power goes for `offMs`: lines drop, what is not battery-backed is forgotten. */
  | { readonly kind: "power_loss"; readonly when: "before" | "after"; readonly offMs: number }
  /** The cable is out for `ms`: lines drop, nobody is let in, the device itself works on. */
  | { readonly kind: "unplug"; readonly when: "before" | "after"; readonly ms: number }
  /** Other hands act at the device before or after the frame; it is carried out all the same. */
  | {
      readonly kind: "other_hands";
      readonly when: "before" | "after";
      readonly deed: Deed;
      /** What their receipt is worth, in minor units. */
      readonly amountMinor: number;
    };

export type Fault = ConditionFault | LineFault;

export interface FaultRequest {
  readonly fault: Fault;
  /** The frame it strikes, counted from the next one as 1; undefined: a condition holds at once. */
  readonly at: number | undefined;
  /**
   * Whether a frame that the host sends again is counted. A host whose machine is busy takes an
   * answer for lost that is only late: who aims at a command of a document passes those over.
   */
  readonly repeats: Repeats;
  /**
   * The only command whose frames are counted, of devices that number them (all but CUSTOM); undefined: any. What
   * else such a host then asks, to find out what became of its command, moves no fault so.
   */
  readonly command: number | undefined;
}

/** What a frame that is sent again is to a count of frames. */
export type Repeats = "counted" | "passed_over";

const PENDING_MAX = 100;
const COMMAND_MAX = 0xffff;
const AMOUNT_MINOR = 100;

/** What a fault request may not be. */
export class FaultRequestError extends Error {
  override readonly name = "FaultRequestError";
}

/** True for faults that are facts of the device rather than of its line. */
export function isCondition(fault: Fault): fault is ConditionFault {
  switch (fault.kind) {
    case "paper_out":
    case "paper_low":
    case "cover_open":
    case "fiscal_memory_full":
    case "fiscal_memory_near_full":
    case "hardware_error":
    case "day_over":
    case "clock":
    case "clock_lost":
      return true;
    default:
      return false;
  }
}

type Parser = (body: Fields) => Fault;

/** How each kind is read from a request. */
const PARSERS = {
  paper_out: (body) => ({
    kind: "paper_out",
    mode: body.choice("mode", ["refused", "registered"]),
  }),
  paper_low: () => ({ kind: "paper_low" }),
  cover_open: () => ({ kind: "cover_open" }),
  fiscal_memory_full: () => ({ kind: "fiscal_memory_full" }),
  fiscal_memory_near_full: () => ({ kind: "fiscal_memory_near_full" }),
  hardware_error: () => ({ kind: "hardware_error" }),
  day_over: () => ({ kind: "day_over" }),
  clock: (body) => ({
    kind: "clock",
    shiftMs: body.integer("shiftMs", { least: -CLOCK_SHIFT_MS_MAX, most: CLOCK_SHIFT_MS_MAX }),
  }),
  clock_lost: () => ({ kind: "clock_lost" }),
  drop_before: () => ({ kind: "drop_before" }),
  drop_after: () => ({ kind: "drop_after" }),
  garble: () => ({ kind: "garble" }),
  delay: (body) => ({
    kind: "delay",
    ms: body.integer("ms", { least: 1, most: FAULT_MS_MAX }),
    busy: body.choice("busy", [false, true]),
  }),
  refuse: () => ({ kind: "refuse" }),
  deny: () => ({ kind: "deny" }),
  silent: (body) => ({ kind: "silent", count: body.count() }),
  silent_after: (body) => ({ kind: "silent_after", count: body.count() }),
  hold: (body) => ({ kind: "hold", count: body.count() }),
  power_loss: (body) => ({
    kind: "power_loss",
    when: body.choice("when", ["before", "after"]),
    offMs: body.integer("offMs", { least: 0, most: FAULT_MS_MAX, otherwise: 0 }),
  }),
  unplug: (body) => ({
    kind: "unplug",
    when: body.choice("when", ["before", "after"]),
    ms: body.integer("ms", { least: 0, most: FAULT_MS_MAX, otherwise: 0 }),
  }),
  other_hands: (body) => {
    const deed = body.choice("deed", DEEDS);
    // Only cash goes both ways.
    const least = deed === "cash" ? -DEED_AMOUNT_MINOR_MAX : 1;
    const range = { least, most: DEED_AMOUNT_MINOR_MAX, otherwise: AMOUNT_MINOR };
    const amountMinor = body.integer("amountMinor", range);
    if (amountMinor === 0) throw new FaultRequestError("amountMinor must not be 0");
    return {
      kind: "other_hands",
      when: body.choice("when", ["before", "after"]),
      deed,
      amountMinor,
    };
  },
} satisfies Record<FaultKind, Parser>;

/**
 * Reads the body of a fault request.
 * @throws FaultRequestError with what is wrong with it
 */
export function parseFaultRequest(body: unknown): FaultRequest {
  const fields = fieldsOf(body);
  const kind = fields.take("kind");
  if (!isFaultKind(kind)) {
    throw new FaultRequestError(`kind must be one of ${FAULT_KINDS.join(", ")}`);
  }
  const fault = PARSERS[kind](fields);
  const at = fields.has("at") ? fields.integer("at", { least: 1, most: FAULT_AT_MAX }) : undefined;
  const repeats = fields.choice("repeats", ["counted", "passed_over"]);
  const command = fields.has("command")
    ? fields.integer("command", { least: 0, most: COMMAND_MAX })
    : undefined;
  fields.refuseOthers();
  return { fault, at, repeats, command };
}

/**
 * Reads the body of a request to take the power away.
 * @returns for how long, in milliseconds
 * @throws FaultRequestError with what is wrong with it
 */
export function parsePowerRequest(body: unknown): number {
  const fields = fieldsOf(body);
  const offMs = fields.integer("offMs", { least: 1, most: FAULT_MS_MAX });
  fields.refuseOthers();
  return offMs;
}

function fieldsOf(body: unknown): Fields {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new FaultRequestError("the body must be a JSON object");
  }
  return new Fields(body);
}

interface IntegerRange {
  readonly least: number;
  readonly most: number;
  readonly otherwise?: number;
}

/** The fields of a request, each taken once, so that what is left over can be refused. */
class Fields {
  readonly #left: Map<string, unknown>;

  constructor(body: object) {
    this.#left = new Map(Object.entries(body));
  }

  has(name: string): boolean {
    return this.#left.has(name);
  }

  take(name: string): unknown {
    const value = this.#left.get(name);
    this.#left.delete(name);
    return value;
  }

  /** One of the choices; the first when the field is absent. */
  choice<const Choice>(name: string, choices: readonly [Choice, ...Choice[]]): Choice {
    if (!this.has(name)) return choices[0];
    const value = this.take(name);
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined) {
      throw new FaultRequestError(`${name} must be one of ${choices.join(", ")}`);
    }
    return chosen;
  }

  integer(name: string, { least, most, otherwise }: IntegerRange): number {
    if (otherwise !== undefined && !this.has(name)) return otherwise;
    const value = this.take(name);
    if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
      throw new FaultRequestError(`${name} must be an integer from ${least} to ${most}`);
    }
    return value;
  }

  count(): number {
    return this.integer("count", { least: 1, most: FAULT_FRAMES_MAX, otherwise: 1 });
  }

  refuseOthers(): void {
    const [other] = this.#left.keys();
    if (other !== undefined) throw new FaultRequestError(`${other} is not a field of this fault`);
  }
}

interface PendingFault extends Pick<FaultRequest, "fault" | "repeats" | "command"> {
  /** Frames still to come, the first that it strikes included. */
  ahead: number;
  /** Frames still to strike. */
  left: number;
}

/** A frame, as far as faults are set for it. */
interface CountedFrame {
  /** Whether it was sent again; never when absent. */
  readonly isRepeat?: () => boolean;
  readonly command?: number | undefined;
}

/** Faults that wait for their frame. */
export class FaultPlan {
  #received = 0;
  #repeated = 0;
  #pending: PendingFault[] = [];

  /** Frames received so far, those that were sent again included. */
  get received(): number {
    return this.#received;
  }

  /** Those of them that a host had sent before. */
  get repeated(): number {
    return this.#repeated;
  }

  /**
   * Sets a fault for the `at`-th frame from now, or the next one.
   * @throws FaultRequestError when too many wait already
   */
  add({ fault, at = 1, repeats, command }: FaultRequest): void {
    if (this.#pending.length >= PENDING_MAX) {
      throw new FaultRequestError(`${PENDING_MAX} faults are waiting already`);
    }
    const left = "count" in fault ? fault.count : 1;
    this.#pending.push({ fault, repeats, command, ahead: at, left });
  }

  clear(): void {
    this.#pending = [];
  }

  /** Counts a frame; the faults that strike it. */
  nextFrame(frame: CountedFrame): readonly Fault[] {
    const isRepeat = frame.isRepeat?.() ?? false;
    this.#received += 1;
    if (isRepeat) this.#repeated += 1;
    if (this.#pending.length === 0) return NO_FAULTS;
    const due: Fault[] = [];
    for (const pending of this.#pending) {
      // What has begun goes on, whichever frames come.
      if (pending.ahead > 0) {
        if (isRepeat && pending.repeats === "passed_over") continue;
        if (pending.command !== undefined && pending.command !== frame.command) continue;
        pending.ahead -= 1;
      }
      if (pending.ahead > 0) continue;
      pending.left -= 1;
      due.push(pending.fault);
    }
    this.#pending = this.#pending.filter(({ left }) => left > 0);
    return due;
  }
}

const NO_FAULTS: readonly Fault[] = [];
