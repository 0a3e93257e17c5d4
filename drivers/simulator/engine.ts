/**
 * The working of a simulated device between its lines and its protocol: takes frames one at a
 * time, lets faults strike, is busy for as long as the device would be, and loses power.
 */

import type { DeviceMemory } from "./books/memory.ts";
import type { ConditionFault, Fault, FaultPlan, LineFault } from "./faults.ts";
import { isCondition } from "./faults.ts";

/** A line to a host, as the engine sees it. */
export interface EngineLine {
  send(bytes: Uint8Array): void;
  /** Cuts the line at once, whatever is still unsent. */
  cut(): void;
}

/** What a protocol finds in the bytes of one line. */
export type LineEvent =
  /**
   * A whole command. `execute` carries it out and gives the answer; `executed` is called between
   * the two, for what happens to the device while it prints. `accepted` goes out before a late
   * answer, and right before any other, where the protocol confirms that it took a command.
   */
  | {
      readonly kind: "frame";
      readonly execute: (executed: () => void) => Uint8Array;
      /** Whether the device will take it for its last frame sent again; never when absent. */
      readonly isRepeat?: () => boolean;
      /** Number of the command, where the family says it: faults may be set for one. */
      readonly command?: number | undefined;
      readonly accepted?: Uint8Array | undefined;
      /**
       * Where a host must confirm that it hears before it is told: takes the answer as it leaves
       * the device, damage included, and gives what of it goes out now. The rest goes out as an
       * `answer` when the host has confirmed.
       */
      readonly release?: (answer: Uint8Array) => Uint8Array;
    }
  /** Bytes that are answered without being a command; while one runs, with `whenBusy`. */
  | { readonly kind: "answer"; readonly bytes: Uint8Array; readonly whenBusy?: Uint8Array };

type FrameEvent = Extract<LineEvent, { kind: "frame" }>;

/** One protocol's side of a simulated device. */
export interface Responder {
  /** Says "still working", where the protocol has such a word. */
  readonly busySign: Uint8Array | undefined;
  /** An answer as a bad line delivers it; one with a wrong checksum when absent. */
  readonly damage?: (answer: Uint8Array) => Uint8Array;
  /** Begins to listen on a new line; the returned function takes its bytes. */
  listen(): (chunk: Uint8Array) => readonly LineEvent[];
  /** The power was off: forget what no battery keeps. */
  forget(): void;
}

/** Hands other than those of a line, and what they do. */
export type OtherHands = Extract<LineFault, { kind: "other_hands" }>;

/** Calls back after `ms`; the returned function cancels. */
export type SetTimer = (ms: number, callback: () => void) => () => void;

export interface EngineOptions {
  readonly responder: Responder;
  readonly memory: DeviceMemory;
  readonly faults: FaultPlan;
  /** How long each command takes the device. */
  readonly delayMs: number;
  readonly setTimer: SetTimer;
  /** Breaks all lines at once; nobody is let in until they are restored. */
  readonly cutLines: () => void;
  readonly restoreLines: () => void;
  /** Lets hands other than those of a line act at the device. */
  readonly actAsOthers: (fault: OtherHands) => void;
  /** Hears that the power or the cable went or came back. */
  readonly changed?: () => void;
}

/** Busy devices repeat that they are, this often. */
const BUSY_SIGN_MS = 60;
/** Frames that wait in the input buffer of a busy device; more are lost, as on a real line. */
const INPUT_FRAMES_MAX = 8;

export class Engine {
  readonly #options: EngineOptions;
  readonly #waiting: { line: EngineLine; event: FrameEvent }[] = [];
  #cancelTimers: (() => void)[] = [];
  #busy = false;
  #powered = true;
  /** Set while the cable is out. */
  #cancelReplug: (() => void) | undefined;
  /** Sends the answer that is being held. */
  #sendHeld: (() => void) | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** Whether the device has power and its cable is in. */
  get condition(): { readonly powered: boolean; readonly plugged: boolean } {
    return { powered: this.#powered, plugged: this.#cancelReplug === undefined };
  }

  /** Takes what a line brought. */
  take(line: EngineLine, event: LineEvent): void {
    if (!this.#powered) return;
    if (event.kind === "answer") {
      line.send(this.#busy ? (event.whenBusy ?? event.bytes) : event.bytes);
      return;
    } else if (!this.#busy) this.#execute(line, event);
    else if (this.#waiting.length < INPUT_FRAMES_MAX) this.#waiting.push({ line, event });
  }

  /** Makes a condition true now. */
  impose(fault: ConditionFault): void {
    const { memory } = this.#options;
    switch (fault.kind) {
      case "paper_out":
        memory.setConditions({ paper: "out", printingWaits: fault.mode === "registered" });
        break;
      case "paper_low":
        memory.setConditions({ paper: "low" });
        break;
      case "cover_open":
        memory.setConditions({ cover: "open" });
        break;
      case "fiscal_memory_full":
        memory.setConditions({ memory: "full" });
        break;
      case "fiscal_memory_near_full":
        memory.setConditions({ memory: "near_full" });
        break;
      case "hardware_error":
        memory.setConditions({ broken: true });
        break;
      case "day_over":
        memory.setConditions({ dayOver: true });
        break;
      case "clock": {
        const { clockShiftMs } = memory.books.conditions;
        memory.setConditions({ clockShiftMs: clockShiftMs + fault.shiftMs });
        break;
      }
      case "clock_lost":
        memory.setConditions({ clockLost: true });
        break;
      default:
        fault satisfies never;
    }
  }

  /** Pulls the cable out now; the device works on, and what it answers is lost. */
  unplug(ms: number): void {
    const { cutLines, setTimer } = this.#options;
    cutLines();
    this.#cancelReplug?.();
    this.#cancelReplug = setTimer(ms, () => {
      this.#cancelReplug = undefined;
      this.#restoreLines();
      this.#options.changed?.();
    });
    this.#options.changed?.();
  }

  /** Takes the power away now, for `offMs`; none of what no battery keeps is left. */
  switchOff(offMs: number): void {
    this.#losePower(offMs);
  }

  /** Lets other hands act now. */
  actAsOthers(fault: OtherHands): void {
    this.#options.actAsOthers(fault);
  }

  /** True while an answer is held until it is released. */
  get isHolding(): boolean {
    return this.#sendHeld !== undefined;
  }

  /** Lets the answer go that is being held, and whatever waited behind it. */
  release(): void {
    const send = this.#sendHeld;
    if (send === undefined) return;
    this.#halt({ keepWaiting: true });
    send();
    this.#next();
  }

  /** Ends all that is under way, as when the device is switched off for good. */
  stop(): void {
    this.#powered = false;
    this.#cancelReplug?.();
    this.#halt();
  }

  #execute(line: EngineLine, frame: FrameEvent): void {
    const faults = this.#options.faults.nextFrame(frame);
    if (faults.length === 0 && this.#options.delayMs === 0) {
      const answer = frame.execute(nothing);
      if (frame.accepted) line.send(frame.accepted);
      sendAnswer(line, frame, answer);
      return;
    }
    const struck = new StruckFrame(faults);
    for (const condition of struck.conditionsBefore) this.impose(condition);
    for (const hands of struck.handsAt("before")) this.actAsOthers(hands);
    if (struck.isLost) for (const hands of struck.handsAt("after")) this.actAsOthers(hands);
    const power = struck.find("power_loss");
    const cable = struck.find("unplug");
    if (struck.has("silent")) return;
    if (struck.has("drop_before")) line.cut();
    else if (cable?.when === "before") this.unplug(cable.ms);
    else if (power?.when === "before") this.#losePower(power.offMs);
    else this.#executeAndSuffer(line, frame, struck);
  }

  #executeAndSuffer(line: EngineLine, frame: FrameEvent, struck: StruckFrame): void {
    const { memory } = this.#options;
    memory.isRefusing = struck.has("refuse");
    memory.isDenying = struck.has("deny");
    const answer = frame.execute(() => {
      for (const condition of struck.conditionsWhilePrinting) this.impose(condition);
    });
    memory.isRefusing = false;
    memory.isDenying = false;
    for (const hands of struck.handsAt("after")) this.actAsOthers(hands);
    const power = struck.find("power_loss");
    const cable = struck.find("unplug");
    if (power) this.#losePower(power.offMs);
    else if (cable) this.unplug(cable.ms);
    else if (struck.has("drop_after")) line.cut();
    else if (struck.has("hold")) {
      this.#busy = true;
      this.#sendHeld = () => {
        if (frame.accepted) line.send(frame.accepted);
        sendAnswer(line, frame, answer);
      };
    } else if (!struck.has("silent_after")) {
      if (frame.accepted) line.send(frame.accepted);
      const sent = struck.has("garble") ? this.#damage(answer) : answer;
      this.#answer(() => sendAnswer(line, frame, sent), line, struck.find("delay"));
    }
  }

  #answer(
    send: () => void,
    line: EngineLine,
    late: Extract<LineFault, { kind: "delay" }> | undefined,
  ): void {
    const { delayMs, responder } = this.#options;
    const waitMs = delayMs + (late?.ms ?? 0);
    if (waitMs === 0) {
      send();
      return;
    }
    this.#busy = true;
    const sign = responder.busySign;
    const saysSo = sign !== undefined && (late === undefined || late.busy);
    if (saysSo) this.#repeatSign(line, sign, waitMs);
    this.#after(waitMs, () => {
      this.#halt({ keepWaiting: true });
      send();
      this.#next();
    });
  }

  #damage(answer: Uint8Array): Uint8Array {
    return this.#options.responder.damage?.(answer) ?? damageChecksum(answer);
  }

  #repeatSign(line: EngineLine, sign: Uint8Array, leftMs: number): void {
    if (leftMs <= BUSY_SIGN_MS) return;
    this.#after(BUSY_SIGN_MS, () => {
      line.send(sign);
      this.#repeatSign(line, sign, leftMs - BUSY_SIGN_MS);
    });
  }

  #next(): void {
    while (!this.#busy) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#execute(next.line, next.event);
    }
  }

  #losePower(offMs: number): void {
    const { cutLines, responder } = this.#options;
    this.#halt();
    responder.forget();
    cutLines();
    if (offMs === 0) {
      this.#restoreLines();
      return;
    }
    this.#powered = false;
    this.#after(offMs, () => {
      this.#halt();
      this.#powered = true;
      this.#restoreLines();
      this.#options.changed?.();
    });
    this.#options.changed?.();
  }

  #restoreLines(): void {
    if (this.#powered && this.#cancelReplug === undefined) this.#options.restoreLines();
  }

  #halt(options: { keepWaiting: boolean } = { keepWaiting: false }): void {
    for (const cancel of this.#cancelTimers) cancel();
    this.#cancelTimers = [];
    this.#sendHeld = undefined;
    this.#busy = false;
    if (!options.keepWaiting) this.#waiting.length = 0;
  }

  #after(ms: number, callback: () => void): void {
    this.#cancelTimers.push(this.#options.setTimer(ms, callback));
  }
}

/** The faults of one frame, sorted by when they act. */
class StruckFrame {
  readonly conditionsBefore: readonly ConditionFault[];
  readonly conditionsWhilePrinting: readonly ConditionFault[];
  readonly #faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    this.#faults = faults;
    const conditions = faults.filter(isCondition);
    const isLate = (fault: ConditionFault) =>
      fault.kind === "paper_out" && fault.mode === "registered";
    this.conditionsBefore = conditions.filter((fault) => !isLate(fault));
    this.conditionsWhilePrinting = conditions.filter(isLate);
  }

  /** True when it never reaches the device. */
  get isLost(): boolean {
    return (
      this.has("silent") ||
      this.has("drop_before") ||
      this.find("unplug")?.when === "before" ||
      this.find("power_loss")?.when === "before"
    );
  }

  handsAt(when: OtherHands["when"]): readonly OtherHands[] {
    return this.#faults.filter(
      (fault): fault is OtherHands => fault.kind === "other_hands" && fault.when === when,
    );
  }

  has(kind: LineFault["kind"]): boolean {
    return this.#faults.some((fault) => fault.kind === kind);
  }

  find<Kind extends LineFault["kind"]>(kind: Kind): Extract<LineFault, { kind: Kind }> | undefined {
    return this.#faults.find(
      (fault): fault is Extract<LineFault, { kind: Kind }> => fault.kind === kind,
    );
  }
}

/** Sends an answer, or as much of it as the host may hear already. */
function sendAnswer(line: EngineLine, frame: FrameEvent, answer: Uint8Array): void {
  const now = frame.release ? frame.release(answer) : answer;
  if (now.length > 0) line.send(now);
}

/** The answer with one bit of its checksum wrong, which most protocols put last but one. */
function damageChecksum(answer: Uint8Array): Uint8Array {
  const damaged = answer.slice();
  const at = Math.max(0, damaged.length - 3);
  damaged[at] = (damaged[at] ?? 0) ^ 0x01;
  return damaged;
}

function nothing(): void {
  // A frame that no fault strikes has nothing to suffer between its execution and its answer.
}
