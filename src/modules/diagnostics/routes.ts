/** `/diagnostics`: what somebody who helps has to know, without secrets and without sales. */

import { boxRoutes, type OwnsBox } from "../../http/access.ts";
import { success } from "../../http/answers.ts";
import { type Diagnostics, DiagnosticsAnswer } from "./schema.ts";

/**
 * Settings and health are the machine's, so that they are the box's owner's alone.
 * @param diagnose of one organization's devices and commands
 */
export function diagnosticsRoutes(
  diagnose: (orgId: string) => Promise<Diagnostics>,
  ownsBox: OwnsBox,
) {
  return boxRoutes("admin", "Health", ownsBox).get(
    "/diagnostics",
    ({ principal }) => diagnose(principal.orgId),
    {
      detail: {
        summary: "Get what somebody who helps has to know",
        description:
          "Versions, settings, health, figures, devices and the newest commands; without passwords, " +
          "keys, tokens and payloads. fiscald diagnostics makes the same at the machine, with the log.",
        responses: success(DiagnosticsAnswer),
      },
    },
  );
}
