/** `/update`: which version runs, which is newer, and what the last update came to. */

import { ApiError } from "#core/errors.ts";
import { boxRoutes, type OwnsBox } from "../../http/access.ts";
import { refusals, success } from "../../http/answers.ts";
import { type Update, UpdateAnswer } from "./schema.ts";

/** What knows of versions. */
export interface UpdatesPort {
  look(): Update;
  /** Looks for a newer one now. @returns false where nobody said where to look */
  check(): Promise<boolean>;
}

const TAG = "Appliance";

/** The routes over the port. */
export function updateRoutes(updates: UpdatesPort, ownsBox: OwnsBox) {
  return boxRoutes("admin", TAG, ownsBox)
    .get("/update", () => updates.look(), {
      detail: {
        summary: "Get the version that runs, newer ones, and what the last update came to",
        description: "An update itself is made at the machine, by root: `commands` says how.",
        responses: success(UpdateAnswer),
      },
    })
    .post(
      "/update/check",
      async () => {
        if (await updates.check()) return updates.look();
        throw new ApiError("CONFLICT", "The setting update.from names no place of versions");
      },
      {
        detail: {
          summary: "Look for a newer version now",
          description:
            "Fetches the signed list of the place that `update.from` names, and sends nothing about " +
            "the machine. What was wrong with it stands in `problem`.",
          responses: {
            ...success(UpdateAnswer),
            ...refusals({ 409: "nobody has said where newer versions are" }),
          },
        },
      },
    );
}
