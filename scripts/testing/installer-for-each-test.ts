/** How test files begin that install a release: each test has an unpacked one, and a machine of its own. */

import { afterEach, beforeEach } from "bun:test";
import type { Ended } from "../../src/e2e/harness/run-to-end.ts";
import { InstallerFolder } from "./installer-folder.ts";

/** The folder of the test that runs, by one name for all tests of a file. */
export interface InstallerForEachTest extends Omit<InstallerFolder, "remove"> {
  /** Runs `install.sh` for the folder that stands for the machine, with these words beside that. */
  installHere(...words: readonly string[]): Promise<Ended>;
}

/**
 * To be called where the hooks of the file stand, before those that use the folder.
 * @param others folders whose files lie beside those of the release
 */
export function installerForEachTest(...others: readonly string[]): InstallerForEachTest {
  let machine: InstallerFolder;
  beforeEach(() => {
    machine = new InstallerFolder(...others);
  });
  afterEach(() => machine.remove());
  return {
    get folder() {
      return machine.folder;
    },
    get root() {
      return machine.root;
    },
    get unpacked() {
      return machine.unpacked;
    },
    at: (path) => machine.at(path),
    read: (path) => machine.read(path),
    script: (name, ...lines) => machine.script(name, ...lines),
    placeExecutable: (version, ...lines) => machine.placeExecutable(version, ...lines),
    run: (words, environment) => machine.run(words, environment),
    install: (words, environment) => machine.install(words, environment),
    installHere: (...words) => machine.install(["--root", machine.root, ...words]),
  };
}
