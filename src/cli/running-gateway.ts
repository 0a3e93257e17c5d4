/**
 * Questions of the person at the box to the gateway that runs there, for what only the running
 * process knows. Whoever may open the database may ask: the key that signs tokens is in it.
 */

import { readFileSync } from "node:fs";
import type { Command } from "commander";
import type { Scope } from "#core/access.ts";
import { stateFiles } from "../config/state-files.ts";
import { createAccessTokens } from "../modules/auth/access-tokens.ts";
import { tokenSecret } from "../modules/auth/token-secret.ts";
import { isLocked } from "../platform/lock.ts";
import { clockTimezone } from "../platform/timezone.ts";
import type { Box } from "./box.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { inLocalTime } from "./local-time.ts";
import { harmless } from "./output.ts";
import { serviceHint, startLine } from "./service-state.ts";
import { loadSettings } from "./settings-options.ts";
import { requireOpen } from "./state-keeper.ts";
import { unendedUpgrade } from "./update-told.ts";

/** Ids of shops look otherwise. */
const NO_SHOP = "box";

/** Whether a gateway runs on a state directory, and where it takes requests. */
export type GatewayPresence =
  | { readonly kind: "running"; readonly url: string }
  /** It has the state directory, and does not listen yet or any more. */
  | { readonly kind: "not_listening" }
  | { readonly kind: "absent" };

/** A question to the API. */
export interface GatewayQuestion {
  readonly orgId: string;
  readonly scope: Scope;
  /** Below `/api/v1`, query included. */
  readonly path: string;
  /** What is posted; it is a GET without, unless `method` says otherwise. */
  readonly body?: unknown;
  readonly method?: "POST" | "DELETE";
  /** Gives the question and its answer up. */
  readonly signal: AbortSignal;
}

/**
 * Looks for the gateway. One that was killed leaves its address behind, where somebody else may
 * listen by now; the next one to start takes it away.
 * @throws CliFailure with code 3 where this user may not look into the directory
 */
export function gatewayPresence(stateDir: string): GatewayPresence {
  requireOpen(stateDir);
  if (!isLocked(stateDir)) return { kind: "absent" };
  const { address } = stateFiles(stateDir);
  try {
    const url = new URL(readFileSync(address, "utf8").trim());
    // What listens on every address of the machine is reached on this one.
    if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
    if (url.hostname === "[::]") url.hostname = "[::1]";
    return { kind: "running", url: url.origin };
  } catch {
    return { kind: "not_listening" };
  }
}

/**
 * Asks the running gateway.
 * @returns the answer of success; its body may go on
 * @throws CliFailure with code 3 when no gateway runs, and with code 2 when it refuses
 */
export async function askGateway(
  command: Command,
  box: Box,
  question: GatewayQuestion,
): Promise<Response> {
  const { "state.dir": stateDir } = loadSettings(command).config;
  const gateway = gatewayPresence(stateDir);
  if (gateway.kind !== "running") throw noGateway(command, gateway);
  const { orgId, scope, path, body, signal } = question;
  const method = question.method ?? (body === undefined ? "GET" : "POST");
  const token = await tokenOf(box, { orgId, scope });
  let response: Response;
  try {
    response = await fetch(`${gateway.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
      // The gateway is on this machine; a proxy for the way out would look for it on its own.
      proxy: false,
    });
  } catch (error) {
    const message = `the gateway on ${stateDir} does not answer at ${gateway.url}: is it still running?`;
    throw new CliFailure(EXIT.state, message, { cause: error });
  }
  if (response.ok) return response;
  throw new CliFailure(EXIT.usage, await refusalOf(response));
}

/** Shows a gateway that whoever asks is at the box, and opens nothing of any shop. */
export function boxToken(box: Box): Promise<string> {
  return tokenOf(box, { orgId: NO_SHOP, scope: "devices:read" });
}

function tokenOf(box: Box, of: Pick<GatewayQuestion, "orgId" | "scope">): Promise<string> {
  const secret = tokenSecret(box.stores.appliance, box.random);
  return createAccessTokens(secret, box.clock).issueForBox(of);
}

/** What to say, and to do, where no gateway answers. */
export function noGateway(
  command: Command,
  { kind }: Exclude<GatewayPresence, { kind: "running" }>,
): CliFailure {
  const { "state.dir": stateDir } = loadSettings(command).config;
  const hint = serviceHint(command);
  const unended = kind === "absent" ? unendedUpgrade(command, false) : undefined;
  if (unended !== undefined) {
    const { text, cure } = unended;
    const message = `no gateway runs on ${stateDir}: ${text}. ${cure}`;
    return new CliFailure(EXIT.state, inLocalTime(message, clockTimezone()));
  }
  if (kind === "absent" && hint !== undefined) {
    return new CliFailure(EXIT.state, `no gateway runs on ${stateDir}; ${hint}`);
  }
  const message =
    kind === "absent"
      ? `no gateway runs on ${stateDir}: start it with ${startLine(command)}`
      : `the gateway on ${stateDir} takes no requests: it is starting or stopping, try again`;
  return new CliFailure(EXIT.state, message);
}

async function refusalOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  if (typeof body === "object" && body !== null && "error" in body) {
    const { error } = body;
    if (typeof error === "object" && error !== null && "message" in error) {
      return harmless(String(error.message));
    }
  }
  return `the gateway answered ${response.status}`;
}
