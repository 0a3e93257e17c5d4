/**
 * Whether the database is whole, when a gateway starts on it. A small one is checked at once; of a
 * large one, which takes minutes, only the ends of its tables, and the rest by a process of its own
 * beside the work.
 */

import { statSync } from "node:fs";
import type { Database } from "#db/connection.ts";
import { DatabaseDoubted } from "#db/doubts.ts";
import { faultsAtEnds, faultsOf } from "#db/snapshot.ts";
import { stateFiles } from "../config/state-files.ts";
import { currentSurroundings } from "../config/surroundings.ts";
import { environmentName } from "../config.ts";
import { otherProcess } from "../platform/engine.ts";
import type { Foundation } from "./parts.ts";

/** Checked in about a tenth of a second. */
const AT_ONCE_BYTES = 32 * 1_048_576;
/** What the process ends with that found faults; other ends say nothing of the database. */
const FOUND_FAULTS = 1;

/** @throws DatabaseDoubted when it is not whole, as far as can be seen at once */
export function requireWhole(database: Database, file: string): void {
  const faults = isLarge(file) ? faultsAtEnds(database) : faultsOf(database, "quick");
  if (faults.length > 0) throw new DatabaseDoubted(faults.join("; "));
}

/** Checks the rest of a large database; what is found ends the work on it. */
export function checkBeside({
  config,
  loss,
  log,
  stopping,
}: Pick<Foundation, "config" | "loss" | "log" | "stopping">): void {
  const stateDir = config["state.dir"];
  if (!isLarge(stateFiles(stateDir).database)) return;
  const { command, environment } = otherProcess(currentSurroundings().environment);
  const process = Bun.spawn([...command, "check"], {
    env: { ...environment, [environmentName("state.dir")]: stateDir },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    signal: stopping,
  });
  const look = async (): Promise<void> => {
    const [found, said] = await Promise.all([
      new Response(process.stdout).text(),
      new Response(process.stderr).text(),
    ]);
    const code = await process.exited;
    if (stopping.aborted) return;
    if (code === FOUND_FAULTS) loss.guard.lose("corrupt", found.trim().replaceAll("\n", "; "));
    else if (code === 0) log.info("the database is whole");
    else log.warn("the database was not checked", { code, said });
  };
  look().catch((error: unknown) => log.warn("the database was not checked", { error }));
}

function isLarge(file: string): boolean {
  return statSync(file).size > AT_ONCE_BYTES;
}
