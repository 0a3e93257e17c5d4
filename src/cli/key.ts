/** `fiscald key`: API keys, for the person at the box. */

import { Command } from "commander";
import { SCOPES } from "#core/access.ts";
import { CreateKeyBody } from "../modules/api-keys/schema.ts";
import { createApiKeyService } from "../modules/api-keys/service.ts";
import { boxCaller } from "../modules/auth/user-admin.ts";
import {
  type BoxOptions,
  boxCommand,
  checked,
  organizationId,
  printRecords,
  timezoneOf,
  withBox,
} from "./box.ts";
import { recordTime } from "./local-time.ts";
import { printError, printJson, printLine } from "./output.ts";

interface CreateOptions extends BoxOptions {
  readonly label: string;
  readonly scopes: string;
  readonly expires?: string;
}

export function keyCommand(): Command {
  return new Command("key")
    .description("manage API keys, at the box")
    .addCommand(listCommand())
    .addCommand(createCommand())
    .addCommand(revokeCommand());
}

function listCommand(): Command {
  const command = boxCommand("list", "list API keys, newest first");
  return command.action((options: BoxOptions) =>
    withBox(command, (box) => {
      const orgId = organizationId(box, options.org);
      const keys = createApiKeyService(box).list(orgId);
      const timezone = timezoneOf(box, orgId);
      printRecords(keys, options, {
        ID: (key) => key.id,
        LABEL: (key) => key.label,
        ENDS: (key) => key.last4,
        SCOPES: (key) => key.scopes.join(","),
        ACTIVE: (key) => (key.active ? "yes" : "no"),
        EXPIRES: (key) => recordTime(key.expiresAt, timezone),
        "LAST USED": (key) => recordTime(key.lastUsed, timezone),
      });
    }),
  );
}

function createCommand(): Command {
  const command = boxCommand("create", "create an API key; it is printed once")
    .requiredOption("--label <TEXT>", "what the key is for")
    .requiredOption("--scopes <LIST>", `comma-separated: ${SCOPES.join(", ")}`)
    .option("--expires <TIME>", "ISO 8601 instant at which the key ends");
  return command.action((options: CreateOptions) =>
    withBox(command, async (box) => {
      const caller = boxCaller(organizationId(box, options.org));
      const wanted = checked(CreateKeyBody, {
        label: options.label,
        scopes: options.scopes.split(",").map((scope) => scope.trim()),
        ...(options.expires === undefined ? {} : { expiresAt: options.expires }),
      });
      const created = await createApiKeyService(box).create(caller, wanted);
      if (options.json === true) {
        printJson(created);
        return;
      }
      printError(`created ${created.id}; the key, which is shown only now:`);
      printLine(created.key);
    }),
  );
}

function revokeCommand(): Command {
  const command = boxCommand("revoke", "revoke an API key for good").argument("<id>", "its id");
  return command.action((keyId: string, options: BoxOptions) =>
    withBox(command, async (box) => {
      const caller = boxCaller(organizationId(box, options.org));
      await createApiKeyService(box).revoke(caller, keyId);
      if (options.json === true) printJson({ id: keyId, revoked: true });
      else printLine(`revoked ${keyId}`);
    }),
  );
}
