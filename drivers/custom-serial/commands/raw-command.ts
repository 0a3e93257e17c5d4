/**
 * `raw_command`: one device command as the client wrote it: its four digits and what follows them,
 * or, with command 0, `data` alone. The answer is told whatever it says.
 */

import { FiscalError } from "#core/errors.ts";
import { describeRawAnswer, readRawRequest } from "../../shared/raw-request.ts";
import type { CustomCommand } from "../command.ts";

const COMMANDS = { commandMin: 0, commandMax: 9_999, codePage: "ascii" } as const;
const DIGITS = 4;

export const rawCommand = {
  type: "raw_command",
  execute: async ({ device, command, progress }) => {
    const request = readRawRequest(command.payload, COMMANDS);
    const digits = request.command === 0 ? "" : String(request.command).padStart(DIGITS, "0");
    const body = digits + String.fromCharCode(...request.data);
    const { bodyBytesMax } = device.profile.format;
    if (body === "" || body.length > bodyBytesMax) {
      throw new FiscalError("E400", `data: expected 1 to ${bodyBytesMax} characters in all`);
    }
    // They would end the frame, or look like another one.
    if (!/^[\x20-\x7e]*$/.test(body)) {
      throw new FiscalError("E400", "data: only printable ASCII can be sent");
    }
    await progress.mark("committing");
    const text = await device.sendRaw(body);
    // Nobody knows what it changed.
    device.kept.forget();
    const data = Buffer.from(text, "latin1");
    return { data: describeRawAnswer({ data, text, status: new Uint8Array() }) };
  },
} satisfies CustomCommand;
