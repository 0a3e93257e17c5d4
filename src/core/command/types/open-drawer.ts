/** `open_drawer`: open the drawer without printing. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";

export const openDrawer = {
  type: "open_drawer",
  category: "cash",
  effect: "device",
  summary: "Open the drawer without printing",
  payload: EmptyPayload,
} satisfies CommandDefinition;
