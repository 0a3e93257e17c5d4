/**
 * `raw_command`: one device command as the client wrote it: the code, and as data all that follows
 * it, the password included. The answer is told whatever it says.
 */

import { FiscalError } from "#core/errors.ts";
import { decodeText, encodeText } from "../../shared/codepage.ts";
import type { ShtrihCommand } from "../command.ts";
import { join } from "../fields.ts";
import { BODY_BYTES_MAX } from "../frame.ts";

export const rawCommand = {
  type: "raw_command",
  execute: async ({ device, command, progress }) => {
    const request = readRequest(command.payload);
    const data =
      request.dataHex === undefined
        ? encodeText(request.data ?? "", "windows-1251")
        : Uint8Array.from(Buffer.from(request.dataHex, "hex"));
    if (data.length >= BODY_BYTES_MAX) {
      throw new FiscalError("E400", `data: at most ${BODY_BYTES_MAX - 1} bytes`);
    }
    await progress.mark("committing");
    const answer = await device.sendRaw(join(request.command, data));
    return {
      data: {
        dataHex: Buffer.from(answer.data).toString("hex"),
        data: decodeText(answer.data, "windows-1251"),
        statusHex: answer.errorByte.toString(16).padStart(2, "0"),
      },
    };
  },
} satisfies ShtrihCommand;

function readRequest(payload: unknown) {
  const fields = typeof payload === "object" && payload !== null ? payload : {};
  const command = "command" in fields ? fields.command : undefined;
  const data = "data" in fields ? fields.data : undefined;
  const dataHex = "dataHex" in fields ? fields.dataHex : undefined;
  if (typeof command !== "number" || !Number.isInteger(command) || command < 0 || command > 255) {
    throw new FiscalError("E400", "command: expected a command number from 0 to 255");
  }
  if (data !== undefined && typeof data !== "string") {
    throw new FiscalError("E400", "data: expected text");
  }
  if (
    dataHex !== undefined &&
    (typeof dataHex !== "string" || !/^([0-9a-f]{2})*$/i.test(dataHex))
  ) {
    throw new FiscalError("E400", "dataHex: expected bytes in hexadecimal");
  }
  if (data !== undefined && dataHex !== undefined) {
    throw new FiscalError("E400", "data: give data or dataHex, not both");
  }
  return { command, data, dataHex };
}
