/**
 * What comes over a line before a driver knows its device. It decides what is told of a device that
 * could not be identified: only words of another protocol prove that it is none of the driver's.
 * Silence, refusals and noise may as well be a device that is starting, a wrong speed or a bad
 * cable, and are faults of the line, after which it is tried again.
 */

import { type DriverEnvironment, IDENTIFIED, type Line } from "#core/driver.ts";
import { FiscalError, LineFault } from "#core/errors.ts";
import { tapped } from "#core/tapped-line.ts";

/** Enough for the first line of any of these. */
const KEPT_BYTES = 64;

/** How services that may listen where a printer is expected introduce themselves. */
const STRANGERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/HTTP\/\d\.\d [1-5]\d\d[ \r]/, "HTTP"],
  [/RTSP\/\d\.\d [1-5]\d\d[ \r]/, "RTSP"],
  [/^SSH-\d\.\d+-/, "SSH"],
  [/^220[ -][\x20-\x7e]+/, "FTP or SMTP"],
];

export class FirstWords {
  /** The same line, heard along on. */
  readonly line: Line;
  readonly #remembered: ReadonlyMap<string, string>;
  #heard = Buffer.alloc(0);

  /** @param environment.remembered what is known of the device from earlier lines */
  constructor(line: Line, { remembered }: Pick<DriverEnvironment, "remembered">) {
    this.#remembered = remembered;
    this.line = tapped(line, { data: (chunk) => this.#keep(chunk) });
  }

  /**
   * The error of a line on which no device of the driver's protocol made itself known: E200 where
   * it is proven to speak another one, else E101.
   */
  unidentified(cause?: unknown): FiscalError {
    if (this.#heard.length === 0) return new FiscalError("E101", "No device answers", { cause });
    const text = this.#heard.toString("latin1");
    const stranger = STRANGERS.find(([pattern]) => pattern.test(text));
    if (stranger) {
      return new FiscalError("E200", `What answers there speaks ${stranger[1]}`, { cause });
    }
    // It has talked with this driver before: more likely the rest of an answer that comes late.
    const told = this.isKnown
      ? "The device answers late or garbled: it may be busy or starting; if it stays so, check speed and cable"
      : "Something answers, but not in the protocol of this driver: check driver, speed and cable";
    return new FiscalError("E101", told, { cause });
  }

  /**
   * What to tell of a first question that failed: `unidentified`, unless the line was lost or the
   * device has answered in the protocol.
   */
  judge(error: unknown): unknown {
    const isSilent = error instanceof FiscalError && !error.isAnswered;
    return isSilent && error.code !== "E102" ? this.unidentified(error) : error;
  }

  /** True where nothing was said but this byte, however often. */
  heardOnly(byte: number): boolean {
    return this.#heard.every((heard) => heard === byte);
  }

  /** True where the device was known on an earlier line: what answers is most likely it. */
  get isKnown(): boolean {
    return this.#remembered.has(IDENTIFIED);
  }

  #keep(chunk: Uint8Array): void {
    const room = KEPT_BYTES - this.#heard.length;
    if (room > 0) this.#heard = Buffer.concat([this.#heard, chunk.subarray(0, room)]);
  }
}

/** The error of a device that speaks the protocol and answers the questions who it is with nothing. */
export function namelessDevice(): FiscalError {
  return new LineFault("E902", "The device does not tell what it is");
}
