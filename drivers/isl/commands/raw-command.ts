/** `raw_command`: one device command as the client wrote it. The answer is told whatever it says. */

import { FiscalError } from "#core/errors.ts";
import { decodeText, encodeText } from "../../shared/codepage.ts";
import type { IslCommand } from "../command.ts";
import { DATA_BYTES_MAX } from "../frame.ts";

export const rawCommand = {
  type: "raw_command",
  needs: ["status"],
  execute: async ({ device, command, progress }) => {
    const { codePage, generation } = device.dialect;
    const request = readRequest(command.payload);
    const data =
      request.dataHex === undefined
        ? encodeText(request.data ?? "", codePage)
        : Uint8Array.from(Buffer.from(request.dataHex, "hex"));
    if (data.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a)) {
      throw new FiscalError("E400", "data: of the control characters only TAB and LF can be sent");
    }
    const most = DATA_BYTES_MAX[generation].request;
    if (data.length > most) throw new FiscalError("E400", `data: at most ${most} bytes`);
    await progress.mark("committing");
    const answer = await device.sendRaw(request.command, data);
    // Nobody knows what it changed.
    device.vatRates = undefined;
    device.day = { open: null, closeRequired: null };
    return {
      data: {
        dataHex: Buffer.from(answer.data).toString("hex"),
        data: decodeText(answer.data, codePage),
        statusHex: Buffer.from(answer.status).toString("hex"),
      },
    };
  },
} satisfies IslCommand;

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
