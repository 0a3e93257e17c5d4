/** What the gateway and the process of its simulated printers tell each other, a line of JSON each. */

import type { PaperFormat } from "#core/device/simulated.ts";
import type { DriverId } from "#core/driver-id.ts";

/** The word by which the executable runs that process. Nobody types it. */
export const SIMULATED_PRINTERS = "simulated-printers";

/** What is asked of the process. */
export type Question =
  /** Switches a printer on, unless it is on. */
  | {
      readonly ask: "open";
      readonly deviceId: string;
      readonly driver: DriverId;
      /** The driver's default one when absent. */
      readonly model?: string | undefined;
      /** IANA zone that the clock of a new one is set to. */
      readonly timezone: string;
    }
  /** Switches a printer off for good. */
  | { readonly ask: "close"; readonly deviceId: string }
  /** The answer's `value` is the text of the last documents. */
  | {
      readonly ask: "paper";
      readonly deviceId: string;
      readonly format: PaperFormat;
      readonly last: number;
    }
  | { readonly ask: "fault"; readonly deviceId: string; readonly fault: unknown }
  | { readonly ask: "clear"; readonly deviceId: string };

export type NumberedQuestion = Question & { readonly id: number };

/** What it answers. */
export type Answer =
  | { readonly value: string }
  /** @property isRefusal it was asked for something that cannot be; else something is broken */
  | { readonly error: string; readonly isRefusal: boolean };

export type Reply = { readonly id: number } & Answer;

/** The file of a printer's books. */
export function booksFile(deviceId: string): string {
  return `${deviceId}.books`;
}

/** The socket that its driver talks to it by. */
export function socketFile(deviceId: string): string {
  return `${deviceId}.sock`;
}

/** The device whose file this is; undefined for any other file. */
export function ownerOf(file: string): string | undefined {
  return /^(dev_[0-9A-Z]{26})\.(books|books\.new|sock)$/.exec(file)?.[1];
}

/** Gathers bytes into lines. @param take gets each whole line */
export function lineReader(take: (line: string) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "";
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") take(line);
  };
}
