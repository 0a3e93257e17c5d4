/** What a controller is answered when what it said is not taken: always with what that was about. */

import { type About, aboutOf } from "#core/controller/about.ts";
import type { CommandReport, ToController, ToGateway } from "#core/controller/messages.ts";

type Refusal = Extract<ToController, { readonly type: "error" }>;

/** Why a report of a command was not stored. */
const OF_REPORTS = {
  FINAL: "The command has ended meanwhile",
  NOT_YOURS: "The command was not handed to this controller",
  STALE: "The command was handed over anew since",
  NOT_STORED: "The gateway could not write to its database; send it again",
} as const;

/** Refuses a report of a command. */
export function refusalOf(report: CommandReport, code: keyof typeof OF_REPORTS): Refusal {
  return refusal(code, OF_REPORTS[code], aboutOf(report));
}

/** To whoever speaks of a device that it does not serve. */
export function notServed(message: ToGateway): Refusal {
  return refusal("NOT_YOURS", "The device is not this controller's", aboutOf(message));
}

/** Where the gateway itself failed, as when its database cannot be read. */
export function notTaken(message: ToGateway): Refusal {
  const text = "The gateway could not take the message; send it again";
  return refusal("NOT_STORED", text, aboutOf(message));
}

function refusal(code: string, message: string, about: About): Refusal {
  return { type: "error", code, message, ...about };
}
