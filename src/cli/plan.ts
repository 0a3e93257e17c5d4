/** `fiscald plan`: how many printers and keys the licence allows, and what of it is in use. */

import { Argument, type Command } from "commander";
import { PLANS, type Plan } from "#core/limits.ts";
import { boxCaller } from "../modules/auth/user-admin.ts";
import { createBillingService } from "../modules/billing/service.ts";
import { type BoxOptions, boxCommand, organizationId, withBox } from "./box.ts";
import { printJson, printLine } from "./output.ts";
import { nextLine } from "./settings-options.ts";

export function planCommand(): Command {
  const command = boxCommand("plan", "show the plan, or pick the one of your licence").addArgument(
    new Argument("[plan]", "the plan to change to").choices(PLANS),
  );
  return command.action((wanted: Plan | undefined, options: BoxOptions) =>
    withBox(command, async (box) => {
      const orgId = organizationId(box, options.org);
      const billing = createBillingService(box);
      const overview =
        wanted === undefined
          ? billing.overview(orgId)
          : await billing.setPlan(boxCaller(orgId), wanted);
      if (options.json === true) {
        printJson(overview);
        return;
      }
      const { plan, limits, usage } = overview;
      printLine(`plan      ${plan}`);
      printLine(`printers  ${usage.devices} of ${limits.devices ?? "any number"}`);
      printLine(`API keys  ${usage.apiKeys} of ${limits.apiKeys ?? "any number"}`);
      const isOver =
        usage.devices > (limits.devices ?? usage.devices) ||
        usage.apiKeys > (limits.apiKeys ?? usage.apiKeys);
      if (isOver) printLine("All of them go on working; no more can be added.");
      if (limits.apiKeys === 0) {
        printLine(`For API keys of tills: ${nextLine(command, "plan", "pro")}`);
      }
    }),
  );
}
