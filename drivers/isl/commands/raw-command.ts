/** `raw_command`: one device command as the client wrote it. The answer is told whatever it says. */

import { FiscalError } from "#core/errors.ts";
import { decodeText } from "../../shared/codepage.ts";
import { describeRawAnswer, readRawRequest } from "../../shared/raw-request.ts";
import type { IslCommand } from "../command.ts";
import { DATA_BYTES_MAX } from "../frame.ts";

export const rawCommand = {
  type: "raw_command",
  needs: ["status"],
  execute: async ({ device, command, progress }) => {
    const { codePage, generation } = device.dialect;
    const request = readRawRequest(command.payload, { commandMin: 0, commandMax: 255, codePage });
    const { data } = request;
    if (data.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a)) {
      throw new FiscalError("E400", "data: of the control characters only TAB and LF can be sent");
    }
    const most = DATA_BYTES_MAX[generation].request;
    if (data.length > most) throw new FiscalError("E400", `data: at most ${most} bytes`);
    await progress.mark("committing");
    const answer = await device.sendRaw(request.command, data);
    // Nobody knows what it changed.
    device.kept.forget();
    const text = decodeText(answer.data, codePage);
    return { data: describeRawAnswer({ data: answer.data, text, status: answer.status }) };
  },
} satisfies IslCommand;
