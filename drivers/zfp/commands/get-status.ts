/** `get_status`: paper, cover, fiscal day, memory and errors. */

import type { ZfpCommand } from "../command.ts";

export const getStatus = {
  type: "get_status",
  execute: async ({ device }) => {
    const status = await device.readState();
    return { data: { ...status }, status };
  },
} satisfies ZfpCommand;
