/** What a controller says of a command: as it is judged, and how soon it must be on disk. */

import type { CommandResult } from "#core/command/command.ts";
import { IS_AWAITED } from "#core/command/marks.ts";
import type { Report } from "#core/controller/judge.ts";
import type { CommandReport } from "#core/controller/messages.ts";
import type { Urgency } from "#db/writer.ts";

/**
 * A failure whose result does not say that nothing was printed; that of a command that prints nothing
 * never does. What comes next is taken once that is stored, not ahead of it: a person may have to be
 * asked first.
 */
export function isOpen({ success, data }: CommandResult): boolean {
  return !success && data?.outcome !== "not_printed";
}

/** A message about a command, as it is judged. */
export function reportOf(message: CommandReport): Report {
  const { commandId, epoch } = message;
  switch (message.type) {
    case "command.ack":
      return { kind: "ack", commandId, epoch };
    case "command.mark": {
      const { mark, baseline } = message;
      return message.learned === true
        ? { kind: "learned", commandId, epoch, baseline: baseline ?? {} }
        : { kind: "mark", commandId, epoch, mark, baseline };
    }
    case "command.result":
      return { kind: "result", commandId, epoch, result: message.result };
    default:
      return message satisfies never;
  }
}

/**
 * An acknowledgement is not waited for: the baseline that follows is stored after it. Nor is a result
 * by anybody but its client when its successor is out already, of which the baseline comes next.
 */
export function urgencyOf(report: Report, hasSuccessor: boolean): Urgency {
  if (report.kind === "ack") return "later";
  if (report.kind === "result") return hasSuccessor ? "soon" : "now";
  if (report.kind === "learned") return "now";
  return IS_AWAITED[report.mark] ? "now" : "later";
}
