/** Routes of `/backups`. */

import { callerOf } from "#core/access.ts";
import { boxRoutes, type OwnsBox } from "../../http/access.ts";
import { refusals, success } from "../../http/answers.ts";
import { changeJson, json } from "../../http/request-body.ts";
import {
  BackupBegunAnswer,
  BackupSettingsAnswer,
  BackupSettingsBody,
  BackupsAnswer,
  MakeBackupBody,
} from "./schema.ts";
import type { BackupService } from "./service.ts";

const TAG = "Backups";

/** The routes over the service. */
export function backupRoutes(service: BackupService, ownsBox: OwnsBox) {
  const routes = boxRoutes("admin", TAG, ownsBox)
    .get("/backups", () => service.look(), {
      detail: {
        summary: "List the backups, what the last one came to, and USB sticks",
        description: "Backups are of the whole appliance, with every organization at it.",
        responses: success(BackupsAnswer),
      },
    })
    .post(
      "/backups",
      async ({ principal, body, status }) =>
        status(202, await service.makeNow(callerOf(principal), body.to)),
      {
        body: json(MakeBackupBody),
        detail: {
          summary: "Make a backup now",
          description:
            "It is made and verified beside everything else; `GET /backups` and the events " +
            "`backup.completed` and `backup.failed` tell what it came to.",
          responses: {
            ...success(BackupBegunAnswer, { status: 202 }),
            ...refusals({ 409: "one is being made already, or there is no passphrase" }),
          },
        },
      },
    );
  const choosing = boxRoutes("owner", TAG, ownsBox).patch(
    "/backups/settings",
    ({ principal, body }) => service.choose(principal, body),
    {
      body: changeJson(BackupSettingsBody),
      detail: {
        summary: "Choose the passphrase, the place and the hour of backups",
        description:
          "They count at once. What was set at the box stays: the command line, the environment " +
          "and the settings file count first.",
        responses: {
          ...success(BackupSettingsAnswer),
          ...refusals({ 409: "it is set at the box, or cannot be kept; the message says why" }),
        },
      },
    },
  );
  return [routes, choosing];
}
