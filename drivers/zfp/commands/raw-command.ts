/** `raw_command`: one device command as the client wrote it. The answer is told whatever it says. */

import { FiscalError } from "#core/errors.ts";
import { encodeText } from "../../shared/codepage.ts";
import type { ZfpCommand } from "../command.ts";
import { DATA_BYTES_MAX } from "../frame.ts";

const COMMAND_MIN = 0x20;
const COMMAND_MAX = 0x7f;

export const rawCommand = {
  type: "raw_command",
  execute: async ({ device, command, progress }) => {
    const request = readRequest(command.payload);
    if (request.data.length > DATA_BYTES_MAX) {
      throw new FiscalError("E400", `data: at most ${DATA_BYTES_MAX} bytes`);
    }
    // They would end the frame, or look like another one.
    if (request.data.some((byte) => byte < 0x20)) {
      throw new FiscalError("E400", "data: control characters cannot be sent");
    }
    await progress.mark("committing");
    const answer = await device.sendRaw(request.command, request.data);
    // Nobody knows what it changed.
    device.vatRates = undefined;
    device.dayCloseRequired = null;
    return {
      data: {
        dataHex: Buffer.from(answer.data).toString("hex"),
        data: answer.text,
        statusHex: Buffer.from(answer.status).toString("hex"),
      },
    };
  },
} satisfies ZfpCommand;

function readRequest(payload: unknown) {
  const fields = typeof payload === "object" && payload !== null ? payload : {};
  const command = "command" in fields ? fields.command : undefined;
  const data = "data" in fields ? fields.data : undefined;
  const dataHex = "dataHex" in fields ? fields.dataHex : undefined;
  if (
    typeof command !== "number" ||
    !Number.isInteger(command) ||
    command < COMMAND_MIN ||
    command > COMMAND_MAX
  ) {
    throw new FiscalError("E400", "command: expected a command number from 32 to 127");
  }
  if (data !== undefined && dataHex !== undefined) {
    throw new FiscalError("E400", "data: give data or dataHex, not both");
  }
  if (dataHex !== undefined) return { command, data: fromHex(dataHex) };
  if (data !== undefined && typeof data !== "string") {
    throw new FiscalError("E400", "data: expected text");
  }
  return { command, data: encodeText(data ?? "", "windows-1251") };
}

function fromHex(text: unknown): Uint8Array {
  if (typeof text !== "string" || !/^([0-9a-f]{2})*$/i.test(text)) {
    throw new FiscalError("E400", "dataHex: expected bytes in hexadecimal");
  }
  return Uint8Array.from(Buffer.from(text, "hex"));
}
