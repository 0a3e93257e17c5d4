/** What a setting's default may depend on, and the only look at the environment variables. */

import { resolve } from "node:path";

/** The process's surroundings, injected in tests. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
}

/** Those of this process. Nothing else in the product reads a setting from the environment. */
export function currentSurroundings(): Surroundings {
  return { environment: process.env, pid: process.pid };
}

/** That of the service that the installer and the Debian package make. */
export const SERVICE_STATE_DIR = "/var/lib/fiscald";
const LOCAL_STATE_DIR = "state";

/**
 * Where state lies unless somebody says otherwise. systemd gives a unit with `StateDirectory=` the
 * folder as STATE_DIRECTORY, and tells each process that it started itself so by setting
 * SYSTEMD_EXEC_PID to its id. INVOCATION_ID would not do: terminals and build agents that run as
 * units hand it on to everything started in them. (systemd.exec manual, "Environment Variables Set
 * or Propagated by the Service Manager".)
 */
export function defaultStateDir(surroundings: Surroundings): string {
  const given = givenStateDir(surroundings);
  if (given !== "") return given;
  return isService(surroundings) ? SERVICE_STATE_DIR : resolve(LOCAL_STATE_DIR);
}

/** True for a process that the service manager started. */
export function isService(surroundings: Surroundings): boolean {
  const { environment, pid } = surroundings;
  return givenStateDir(surroundings) !== "" || environment.SYSTEMD_EXEC_PID === String(pid);
}

function givenStateDir({ environment }: Surroundings): string {
  return environment.STATE_DIRECTORY?.split(":")[0] ?? "";
}
