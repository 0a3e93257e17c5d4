/** A controller in a process of its own, beside a printer, for a gateway behind a line. */

import { engineOf } from "./gateway.ts";
import type { MessageProxy } from "./message-proxy.ts";
import { NO_POLLING } from "./premises.ts";
import { type Running, startProduct } from "./program.ts";

export interface RemoteOptions {
  readonly line: Pick<MessageProxy, "url">;
  readonly key: string;
  readonly controllerId: string;
  readonly stateDir: string;
  /** Further arguments. */
  readonly args?: readonly string[];
}

/** Starts `fiscald controller`. */
export function startRemoteController(options: RemoteOptions): Promise<Running> {
  const { line, key, controllerId, stateDir, args = [] } = options;
  return startProduct(
    [
      ...["controller", `--url=${line.url}`, `--key=${key}`, `--id=${controllerId}`],
      ...[`--state-dir=${stateDir}`, NO_POLLING, ...args],
    ],
    "controlling",
    { env: engineOf() },
  );
}
