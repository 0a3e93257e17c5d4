/** `get_status`: paper, cover, fiscal day, memory and errors. */

import { statusSuccess } from "../../shared/report.ts";
import type { ShtrihCommand } from "../command.ts";
import { readStatus } from "../read-status.ts";

export const getStatus = {
  type: "get_status",
  execute: async ({ device }) => statusSuccess(await readStatus(device)),
} satisfies ShtrihCommand;
