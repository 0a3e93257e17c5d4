/** `get_info`: what the device said of itself when it was identified. */

import type { CustomCommand } from "../command.ts";

export const getInfo = {
  type: "get_info",
  execute: async ({ device }) => {
    // The answer proves that the device is there now, not only when it was identified.
    await device.readPosition();
    return { data: { info: { ...device.facts.info } } };
  },
} satisfies CustomCommand;
