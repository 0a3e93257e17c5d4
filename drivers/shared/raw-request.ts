/** `raw_command`: one device command as the client wrote it. */

import { FiscalError } from "#core/errors.ts";
import { type CodePage, encodeText } from "./codepage.ts";

/** A device command of the client's own. */
export interface RawRequest {
  readonly command: number;
  readonly data: Uint8Array;
}

/**
 * Reads `{ command, data }` or `{ command, dataHex }`.
 * @param protocol which command numbers it has, and how its devices read text
 * @throws FiscalError E400
 */
export function readRawRequest(
  payload: unknown,
  protocol: {
    readonly commandMin: number;
    readonly commandMax: number;
    readonly codePage: CodePage;
  },
): RawRequest {
  const { commandMin: min, commandMax: max, codePage } = protocol;
  const fields = typeof payload === "object" && payload !== null ? payload : {};
  const command = "command" in fields ? fields.command : undefined;
  const data = "data" in fields ? fields.data : undefined;
  const dataHex = "dataHex" in fields ? fields.dataHex : undefined;
  if (typeof command !== "number" || !Number.isInteger(command) || command < min || command > max) {
    throw new FiscalError("E400", `command: expected a command number from ${min} to ${max}`);
  }
  if (data !== undefined && typeof data !== "string") {
    throw new FiscalError("E400", "data: expected text");
  }
  if (data !== undefined && dataHex !== undefined) {
    throw new FiscalError("E400", "data: give data or dataHex, not both");
  }
  if (dataHex === undefined) return { command, data: encodeText(data ?? "", codePage) };
  return { command, data: fromHex(dataHex) };
}

/** The result: the answer whatever it says. */
export function describeRawAnswer(answer: {
  readonly data: Uint8Array;
  /** The data in the device's code page. */
  readonly text: string;
  readonly status: Uint8Array;
}) {
  return {
    dataHex: Buffer.from(answer.data).toString("hex"),
    data: answer.text,
    statusHex: Buffer.from(answer.status).toString("hex"),
  };
}

function fromHex(text: unknown): Uint8Array {
  if (typeof text !== "string" || !/^([0-9a-f]{2})*$/i.test(text)) {
    throw new FiscalError("E400", "dataHex: expected bytes in hexadecimal");
  }
  return Uint8Array.from(Buffer.from(text, "hex"));
}
