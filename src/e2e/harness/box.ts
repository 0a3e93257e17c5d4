/** A box for a test: a folder for what processes keep, and those processes; all of it goes at the end. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What can be ended, also when it has ended already. */
export interface Killable {
  kill(): Promise<void>;
}

export class Box {
  readonly folder = mkdtempSync(join(tmpdir(), "fiscald-test-"));
  /** Not made yet. */
  readonly stateDir = join(this.folder, "state");
  readonly #running: Killable[] = [];

  /** A process that ends with the box. @returns the process */
  keep<Process extends Killable>(process: Process): Process {
    this.#running.push(process);
    return process;
  }

  /** Kills what runs, the first first, and removes the folder. */
  async clear(): Promise<void> {
    for (const process of this.#running.splice(0)) await process.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
