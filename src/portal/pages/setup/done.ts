/** Which steps of setting up are done, by what there is and not by where somebody has passed. */

import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/queries.ts";
import { STEPS, type StepName } from "./steps.ts";

/** How a step stands: done, passed and left out, or neither. */
export type StepState = "done" | "skipped" | "open";

/**
 * How each step stands.
 * @param at the one that is shown
 * @param isRegistered there is a shop, so the steps before the printer's are done
 */
export function useStepStates(at: StepName, isRegistered: boolean): (step: StepName) => StepState {
  const enabled = isRegistered;
  const { data: devices } = useQuery({ ...read("/api/v1/devices"), enabled });
  const { data: slips } = useQuery({
    ...read("/api/v1/commands", {
      query: { type: ["non_fiscal_receipt"], status: "completed", limit: 1 },
    }),
    enabled,
  });
  const { data: keys } = useQuery({ ...read("/api/v1/org/api-keys"), enabled });
  const { data: backups } = useQuery({ ...read("/api/v1/backups"), enabled });
  /** Undefined until it is known. */
  const has: Partial<Record<StepName, boolean | undefined>> = {
    printer: devices && devices.length > 0,
    test: slips && slips.commands.length > 0,
    key: keys && keys.length > 0,
    safety: backups?.settings.hasPassphrase,
  };
  return (step) => {
    const isPassed = STEPS.indexOf(step) < STEPS.indexOf(at);
    if (!(step in has)) return isRegistered || isPassed ? "done" : "open";
    if (has[step] === true) return "done";
    return isPassed && has[step] === false ? "skipped" : "open";
  };
}
