/** `get_status`: paper, cover, fiscal day, memory and errors. */

import { statusSuccess } from "../../shared/report.ts";
import type { CustomCommand } from "../command.ts";

export const getStatus = {
  type: "get_status",
  execute: async ({ device }) => statusSuccess(await device.readStatus()),
} satisfies CustomCommand;
