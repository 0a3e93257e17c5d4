/** `get_status`: paper, cover, fiscal day, memory and errors. */

import type { CustomCommand } from "../command.ts";

export const getStatus = {
  type: "get_status",
  execute: async ({ device }) => {
    const status = await device.readStatus();
    return { data: { ...status }, status };
  },
} satisfies CustomCommand;
