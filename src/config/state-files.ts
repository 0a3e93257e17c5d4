/** The names of the files in the state directory that more than one part needs to know. */

import { join, resolve } from "node:path";

export interface StateFiles {
  readonly database: string;
  readonly settings: string;
  /** Where the running gateway takes requests; there is none while it stands still. */
  readonly address: string;
  /** What a controller on a computer of its own has not handed to its gateway yet. */
  readonly controllerResults: string;
  /** Folder of the user's own device profiles. */
  readonly profiles: string;
  /** Folder of the books of the printers that the gateway simulates, and of the sockets to them. */
  readonly simulated: string;
  /** Folder of the gateway's own authority and certificate, with their private keys. */
  readonly tls: string;
}

/** Paths of the well-known files of a state directory. */
export function stateFiles(stateDir: string): StateFiles {
  return {
    database: join(stateDir, "fiscald.db"),
    settings: join(stateDir, "fiscald.toml"),
    address: join(stateDir, "fiscald.url"),
    controllerResults: join(stateDir, "controller.db"),
    profiles: join(stateDir, "drivers"),
    simulated: join(stateDir, "simulated"),
    tls: join(stateDir, "tls"),
  };
}

/**
 * The file that tells a copy of a state directory from itself. Its folder lies beside the state
 * directory, holds nothing else, and is no part of what is backed up.
 */
export function startsFile(stateDir: string): string {
  return join(`${resolve(stateDir)}-starts`, "starts");
}
