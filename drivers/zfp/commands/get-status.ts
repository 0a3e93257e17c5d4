/** `get_status`: paper, cover, fiscal day, memory and errors. */

import { statusSuccess } from "../../shared/report.ts";
import type { ZfpCommand } from "../command.ts";

export const getStatus = {
  type: "get_status",
  execute: async ({ device }) => statusSuccess(await device.readState()),
} satisfies ZfpCommand;
