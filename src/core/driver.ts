/**
 * The contract between a controller of this program and the drivers.
 *
 * A driver knows one protocol family. It is given an open line (it cannot tell TCP from serial),
 * finds out which device is at the other end, and turns our commands into device commands. It has
 * no clock, no sockets and no storage of its own: all of that comes through the interfaces below.
 */

import type { CommandType } from "./command/catalogue.ts";
import type { Doubt } from "./command/doubt.ts";
import type { Baseline, Mark } from "./command/marks.ts";
import type { DeviceInfo, DeviceStatus } from "./device/device.ts";
import type { SerialSettings } from "./device/serial-address.ts";
import type { FrameReader } from "./device/trace.ts";
import type { DriverId } from "./driver-id.ts";
import type { StoredReceipt } from "./receipt-record.ts";

/** An open byte stream to a device. Exactly one listener; no bytes are lost before it is set. */
export interface Line {
  /** Sends all bytes in order. Never throws: a broken line is told through `closed`. */
  write(bytes: Uint8Array): void;
  /** Sets who hears the line; replaces the previous listener. */
  listen(listener: LineListener): void;
  /**
   * Closes the line; the listener hears nothing afterwards. Safe to call twice.
   *
   * What has not reached the other end by then never does, or does so before the first byte of a
   * line that is opened later. So what is read of the device there stays true: no frame of before
   * comes behind it. The same holds for a line that is lost.
   */
  close(): void;
  /**
   * Looks whether something of another program may still reach the device behind what is sent here:
   * the system goes on sending what a killed process has left. Absent where nothing can be left.
   * @throws FiscalError E101 while it may
   */
  lookBehind?(): void;
}

export interface LineListener {
  data(chunk: Uint8Array): void;
  /**
   * The line is gone, once: E102 with the cause, whichever side broke it. What was not delivered is
   * thrown away as by `close`.
   */
  closed(error: Error): void;
}

/** Under what `remembered` tells that the driver has known this device on an earlier line. */
export const IDENTIFIED = "identified";

/** What a driver may use of the outside. */
export interface DriverEnvironment {
  /** UTC milliseconds. */
  now(): number;
  /** Calls back after `ms`; the returned function cancels. */
  setTimer(ms: number, callback: () => void): () => void;
  /** A random integer in 0..bound-1. */
  random(bound: number): number;
  /** IANA name of the time zone of the device's clock. */
  readonly timezone: string;
  /** ISO 4217 code of the shop's currency. */
  readonly currency: string;
  /** The profile that the device was registered with, for drivers that have profiles. */
  readonly profile?: string;
  /**
   * What the driver learnt of this device on earlier lines, and wants to know on the next one. It
   * may be gone at any time, so it can only save a question, never answer one. Another printer may
   * be there by then: what holds for one alone goes by `drivers/shared/remembered-fact.ts`.
   */
  readonly remembered: Map<string, string>;
  /**
   * False while a receipt that stands open may only be cancelled, never finished: a person said that
   * it was not printed. Absent: it may.
   */
  mayFinish?(): boolean;
  /**
   * Puts something that was done on the device, without anybody having asked for it, into the
   * organization's audit log.
   * @param action two words with a dot, as `receipt.put_away`
   */
  note(action: string, details: Record<string, unknown>): void;
  /** A fixed sentence with data as fields; never secrets. */
  log(level: "debug" | "info" | "warn", sentence: string, fields?: Record<string, unknown>): void;
}

/** A command as a driver sees it. */
export interface DriverCommand {
  readonly id: string;
  readonly type: CommandType;
  /** The JSON payload, already checked against the catalogue except for `raw_command`. */
  readonly payload: unknown;
  /** The receipt that `void_receipt` names, where the gateway knows it. */
  readonly original: StoredReceipt | undefined;
}

/** What a driver tells while a command runs. */
export interface CommandProgress {
  /**
   * Reports how far the command is, before the driver sends the next frame. Resolves when that is
   * on disk, but for marks that nobody waits for (`IS_AWAITED`): a crash may lose those, though
   * frames went out behind them. Rejects when the command may not go on (it timed out meanwhile): the
   * driver then leaves the device as it found it and throws the rejection on.
   */
  mark(mark: Mark, baseline?: Baseline): Promise<void>;
  /**
   * False once nothing more of the document may be registered, paid or closed, as a person said what
   * became of it. Asked before whatever cannot be taken back, and while the document stands still: a
   * mark that is stored long ago tells nothing of that.
   */
  mayGoOn(): boolean;
  /**
   * False once a person has called the document printed: time in which the device shows what keeps it
   * from printing does not count against `pauseLimitMs`.
   */
  hasLimit(): boolean;
  /** The document stands still for this reason until a person acts; undefined: it goes on. */
  paused(reason: "paper_out" | "cover_open" | undefined): void;
  /** How long all pauses may last before the document is cancelled on the device. Milliseconds. */
  readonly pauseLimitMs: number;
}

/** A command the device carried out. `Data` is the result that the catalogue has for its type. */
export interface CommandSuccess<Data = Record<string, unknown>> {
  readonly data: Data;
  /** The number the device gave the fiscal document. */
  readonly fiscalId?: string;
  /** What the device reported with the last answer, so that no extra read is needed. */
  readonly status?: DeviceStatus;
}

/** The truth about a document in doubt, read from the device. */
export type Resolution<Data = Record<string, unknown>> =
  | { readonly outcome: "printed"; readonly success: CommandSuccess<Data> }
  | { readonly outcome: "not_printed"; readonly reason: string }
  | { readonly outcome: "unknown"; readonly doubt: Doubt };

/** How far a command in doubt had got, as stored. */
export interface Evidence {
  readonly mark: Mark;
  readonly baseline: Baseline;
  /**
   * True when the process that carried it out is gone: marks that nobody waited for may be lost, so
   * that it may have got further than this.
   */
  readonly mayBeFurther?: boolean;
}

/** One open line to an identified device. One call at a time. */
export interface DriverSession {
  readonly info: DeviceInfo;
  /**
   * Carries out one command.
   * @throws FiscalError when a document or ledger entry definitely had no lasting effect; whatever went
   *   wrong with anything else, of which a part may be done, as the first lines of a header
   * @throws DocumentInDoubt when a document or a ledger entry may or may not stand
   */
  execute(command: DriverCommand, progress: CommandProgress): Promise<CommandSuccess>;
  /**
   * Finds out what became of a command in doubt, and leaves no document open. Reads only, but for
   * cancelling or (where the protocol leaves no other way) finishing the document in question.
   * @param keep stores what is learned of it and will not be seen any more once it is finished,
   *   added to the baseline for the next attempt; resolves when that is on disk
   * @throws FiscalError a line fault: ask again on the next line; E306 or E307: ask again once a person
   *   has seen to it; any other: ask again
   * @throws MustStayOpen where what stands open could only be finished and may not be (`mayFinish`)
   */
  resolve(
    command: DriverCommand,
    evidence: Evidence,
    keep?: (learned: Baseline) => Promise<void>,
  ): Promise<Resolution>;
  /** Reads the device's state. @throws FiscalError */
  readStatus(): Promise<DeviceStatus>;
  /** Ends the session and its line; a call under way rejects with E102. */
  close(): void;
}

/** How devices of a driver that nobody has registered yet are looked for. */
export interface DetectionTraits {
  /**
   * The wire protocol. Drivers of the same one begin with the same questions, so where one of them
   * hears nothing the others need not ask.
   */
  readonly protocol: string;
  /**
   * What `connect` sends to a line on which nothing has answered yet. Single control bytes go
   * before frames, because less can become of them in a device of another kind.
   */
  readonly opensWith: "control_byte" | "frame";
  /** TCP ports that such devices or the serial servers in front of them use, the likeliest first. */
  readonly tcpPorts: readonly number[];
}

/** One protocol family with its dialect. */
export interface Driver {
  readonly id: DriverId;
  /** The command types this driver can carry out on some device of the family. */
  readonly commands: ReadonlySet<CommandType>;
  /**
   * Settings that the serial port of such a device may have, the likeliest first, for addresses
   * that name no speed; 115,200 at 8N1 when absent.
   * @param profile as in `DriverEnvironment`
   */
  serialSettings?(profile?: string): readonly SerialSettings[];
  /** Absent where a device cannot be found by asking. */
  readonly detection?: DetectionTraits;
  /**
   * Identifies the device on the line with harmless reads. Whatever is at the other end, nothing
   * is sent that could print or change something: detection asks lines of which nobody knows what
   * is there, at speeds that may be wrong.
   * @throws FiscalError E200 when the device is proven not to speak the protocol, or to be none that
   *   the driver knows; a line fault for silence, NAK and noise
   */
  connect(line: Line, environment: DriverEnvironment): Promise<DriverSession>;
  /**
   * Reads along on one line, for people: what passes, with what it takes to put it into words.
   * Operator passwords and the like are overwritten before anything of it leaves the reader; what the
   * driver's tables do not explain is masked as well. It sends nothing and changes nothing in how the
   * line is used.
   */
  frameReader?(environment: Pick<DriverEnvironment, "profile">): FrameReader;
}
