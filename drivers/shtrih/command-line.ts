/** A command and its answer on an open line, the same on either lower level. */

import { LineFault } from "#core/errors.ts";

/**
 * From ENQ or the end of a command to the control byte that answers it, and from the question of the
 * alternative lower level for its number to the answer.
 */
export const SIGN_TIMEOUT_MS = 1_000;
/** What a command may take beyond the preparation of its answer, repeats included. */
export const SLACK_MS = 10_000;
/** How often one command is sent. */
export const SENDS_MAX = 4;

export interface Exchange {
  /** Command code, password and parameters. */
  readonly body: Uint8Array;
  /** How long the device may take to prepare the answer. */
  readonly answerMs: number;
  /** True when the command changes nothing, so that it may be sent again when in doubt. */
  readonly isRead: boolean;
}

/** An open line that commands go over, whichever lower level the device is set to. */
export interface CommandLine {
  /** @throws FiscalError a line fault, or E400 for a body that is too long for a frame */
  exchange(exchange: Exchange): Promise<Uint8Array>;
  /** Ends the session and its line; a command under way rejects with E102. */
  close(): void;
}

/**
 * The answer, where it is one to the request.
 * @throws FiscalError E902 when it is another command's, or has no error byte
 */
export function checkedAnswer(answer: Uint8Array, request: Uint8Array): Uint8Array {
  const size = codeSize(request);
  const isSame = request.subarray(0, size).every((byte, at) => answer[at] === byte);
  if (isSame && answer.length > size) return answer;
  throw new LineFault("E902", "The device answered another command than the one it was sent");
}

/** Codes that begin with FFh or FEh have two bytes. */
export function codeSize(body: Uint8Array): 1 | 2 {
  return body[0] === 0xff || body[0] === 0xfe ? 2 : 1;
}
