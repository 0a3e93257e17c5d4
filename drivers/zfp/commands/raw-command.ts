/** `raw_command`: one device command as the client wrote it. The answer is told whatever it says. */

import { FiscalError } from "#core/errors.ts";
import { describeRawAnswer, readRawRequest } from "../../shared/raw-request.ts";
import type { ZfpCommand } from "../command.ts";
import { DATA_BYTES_MAX } from "../frame.ts";
import { CODE_PAGE } from "../text.ts";

const COMMANDS = { commandMin: 0x20, commandMax: 0x7f, codePage: CODE_PAGE } as const;

export const rawCommand = {
  type: "raw_command",
  execute: async ({ device, command, progress }) => {
    const request = readRawRequest(command.payload, COMMANDS);
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
    device.kept.forget();
    return { data: describeRawAnswer(answer) };
  },
} satisfies ZfpCommand;
