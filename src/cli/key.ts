/** `fiscald key`: API keys, for the person at the box. */

import { Command, InvalidArgumentError } from "commander";
import { SCOPES, type Scope } from "#core/access.ts";
import type { ApiKey } from "#db/stores/api-keys.ts";
import { CreateKeyBody } from "../modules/api-keys/schema.ts";
import { createApiKeyService } from "../modules/api-keys/service.ts";
import { boxCaller } from "../modules/auth/user-admin.ts";
import {
  type Box,
  type BoxOptions,
  boxCommand,
  checked,
  organizationId,
  printRecords,
  timezoneOf,
  withBox,
} from "./box.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { recordTime } from "./local-time.ts";
import { printError, printJson, printLine } from "./output.ts";

interface CreateOptions extends BoxOptions {
  readonly label: string;
  readonly scopes?: readonly Scope[];
  readonly expires?: string;
}

/** What a till needs: to print, to see its printer, and to keep and find receipts. */
export const TILL_SCOPES = ["commands", "devices:read", "receipts"] as const;

const SCOPES_USUAL = TILL_SCOPES.join(",");

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
    .option(
      "--scopes <LIST>",
      `what it opens, of ${SCOPES.join(", ")} (default: ${SCOPES_USUAL}, as a till needs)`,
      readScopes,
    )
    .option("--expires <TIME>", "ISO 8601 instant at which the key ends");
  return command.action((options: CreateOptions) =>
    withBox(command, async (box) => {
      const caller = boxCaller(organizationId(box, options.org));
      const scopes = options.scopes ?? TILL_SCOPES;
      const wanted = checked(CreateKeyBody, {
        label: options.label,
        scopes,
        ...(options.expires === undefined ? {} : { expiresAt: options.expires }),
      });
      const created = await createApiKeyService(box).create(caller, wanted);
      if (options.json === true) {
        printJson(created);
        return;
      }
      if (options.scopes === undefined) {
        printError(`its scopes are ${SCOPES_USUAL}, as a till needs; --scopes takes others`);
      }
      printError(`created ${created.id}; the key, which is shown only now:`);
      printLine(created.key);
    }),
  );
}

function revokeCommand(): Command {
  const command = boxCommand("revoke", "revoke an API key for good").argument(
    "<key>",
    "its id, or its label where no other key has it",
  );
  return command.action((called: string, options: BoxOptions) =>
    withBox(command, async (box) => {
      const caller = boxCaller(organizationId(box, options.org));
      const { id } = keyCalled(box, caller.orgId, called);
      await createApiKeyService(box).revoke(caller, id);
      if (options.json === true) printJson({ id, revoked: true });
      else printLine(`revoked ${id}`);
    }),
  );
}

/**
 * The key with that id or label. What a key was replaced by has its label too, and is the one meant.
 * @throws CliFailure with code 2 when no key, or more than one, is called so
 */
function keyCalled({ stores }: Box, orgId: string, called: string): ApiKey {
  const keys = stores.apiKeys.list(orgId);
  const byId = keys.find(({ id }) => id === called);
  const isCalled = ({ label, rotatedToId }: ApiKey) => label === called && rotatedToId === null;
  const [only, ...more] = byId ? [byId] : keys.filter(isCalled);
  if (only && more.length === 0) return only;
  const message = only
    ? `several API keys are called ${called}: ${[only, ...more].map(({ id }) => id).join(", ")}; ` +
      "give the id: fiscald key list shows how each ends"
    : `there is no API key ${called}: fiscald key list shows them`;
  throw new CliFailure(EXIT.usage, message);
}

function readScopes(text: string): readonly Scope[] {
  return text.split(",").map((part) => {
    const scope = SCOPES.find((one) => one === part.trim());
    if (scope !== undefined) return scope;
    const known = SCOPES.join(", ");
    throw new InvalidArgumentError(
      `There is no scope ${part.trim()}: it takes ${known}. A till needs ${SCOPES_USUAL}.`,
    );
  });
}
