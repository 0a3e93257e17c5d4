/** `open_drawer`: open the drawer without printing. */

import type { CommandDefinition } from "../definition.ts";
import { EmptyPayload } from "../empty-payload.ts";
import { EmptyResult } from "../result-fields.ts";

export const openDrawer = {
  category: "cash",
  effect: "device",
  summary: "Open the drawer without printing",
  payload: EmptyPayload,
  result: EmptyResult,
} satisfies CommandDefinition;
