/**
 * Calls of the person at the box to the gateway that runs there, for what only the running process
 * knows. Whoever may open the database may call: the key for the call is made in it.
 */

import { readFileSync } from "node:fs";
import type { Command } from "commander";
import type { Scope } from "#core/access.ts";
import { stateFiles } from "../config/state-files.ts";
import { createApiKeyService } from "../modules/api-keys/service.ts";
import { boxCaller } from "../modules/auth/user-admin.ts";
import { requireUnlocked, StateLocked } from "../platform/lock.ts";
import type { Box } from "./box.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { harmless } from "./output.ts";
import { loadSettings } from "./settings-options.ts";

/** A question to the API. */
export interface GatewayCall {
  readonly orgId: string;
  readonly scope: Scope;
  /** What it is for, as the key's label. */
  readonly purpose: string;
  /** Below `/api/v1`, query included. */
  readonly path: string;
  /** Gives the call and its answer up. */
  readonly signal: AbortSignal;
}

/**
 * Where the gateway takes requests; undefined when none runs on the state directory, or it does not
 * listen yet. One that was killed leaves its address behind, where somebody else may listen by now;
 * the next one to start takes it away.
 */
function gatewayUrl(stateDir: string): string | undefined {
  if (!isHeld(stateDir)) return undefined;
  const { address } = stateFiles(stateDir);
  try {
    const url = new URL(readFileSync(address, "utf8").trim());
    // What listens on every address of the machine is reached on this one.
    if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
    if (url.hostname === "[::]") url.hostname = "[::1]";
    return url.origin;
  } catch {
    return undefined;
  }
}

function isHeld(stateDir: string): boolean {
  try {
    requireUnlocked(stateDir);
    return false;
  } catch (error) {
    if (error instanceof StateLocked) return true;
    throw error;
  }
}

/**
 * Asks the running gateway with a key that is gone when its answer begins.
 * @returns the answer of success; its body may go on
 * @throws CliFailure with code 3 when no gateway runs, and with code 2 when it refuses
 */
export async function callGateway(
  command: Command,
  box: Box,
  call: GatewayCall,
): Promise<Response> {
  const { "state.dir": stateDir } = loadSettings(command).config;
  const url = gatewayUrl(stateDir);
  if (url === undefined) {
    throw new CliFailure(EXIT.state, `no gateway runs on ${stateDir}: start it with serve`);
  }
  const keys = createApiKeyService(box);
  const caller = boxCaller(call.orgId);
  const { id, key } = await keys.lend(caller, { label: call.purpose, scopes: [call.scope] });
  let response: Response;
  try {
    response = await fetch(`${url}/api/v1${call.path}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: call.signal,
      // The gateway is on this machine; a proxy for the way out would look for it on its own.
      proxy: false,
    });
  } catch (error) {
    const message = `the gateway on ${stateDir} does not answer at ${url}: is it still running?`;
    throw new CliFailure(EXIT.state, message, { cause: error });
  } finally {
    await keys.revoke(caller, id);
  }
  if (response.ok) return response;
  throw new CliFailure(EXIT.usage, await refusalOf(response));
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
