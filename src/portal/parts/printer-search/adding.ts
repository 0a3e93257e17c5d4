/** Why a printer is not added. */

import type { Reasons } from "../reason-for.ts";

export const ADDING: Reasons = {
  TIER_LIMIT_EXCEEDED: "setup.printer.planFull",
  CONFLICT: "setup.printer.taken",
  INTERNAL_ERROR: "setup.printer.addFailed",
};
