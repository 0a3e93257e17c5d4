/**
 * `raw_command`: one device command as the client wrote it: the code, and as data all that follows
 * it, the password included. The answer is told whatever it says.
 */

import { FiscalError } from "#core/errors.ts";
import { decodeText } from "../../shared/codepage.ts";
import { describeRawAnswer, readRawRequest } from "../../shared/raw-request.ts";
import type { ShtrihCommand } from "../command.ts";
import { CODE_PAGE, join } from "../fields.ts";
import { BODY_BYTES_MAX } from "../frame.ts";

const CODES = { commandMin: 0, commandMax: 255, codePage: CODE_PAGE } as const;

export const rawCommand = {
  type: "raw_command",
  execute: async ({ device, command, progress }) => {
    const request = readRawRequest(command.payload, CODES);
    if (request.data.length >= BODY_BYTES_MAX) {
      throw new FiscalError("E400", `data: at most ${BODY_BYTES_MAX - 1} bytes`);
    }
    await progress.mark("committing");
    const answer = await device.sendRaw(join(request.command, request.data));
    const text = decodeText(answer.data, CODE_PAGE);
    const status = Uint8Array.of(answer.errorByte);
    return { data: describeRawAnswer({ data: answer.data, text, status }) };
  },
} satisfies ShtrihCommand;
