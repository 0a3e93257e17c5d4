/** How test files begin that run the executable: it is built, and each test has a box of its own. */

import { afterEach, beforeAll, beforeEach } from "bun:test";
import { Box } from "./box.ts";
import { executable } from "./program.ts";

/** The box of the test that runs, by one name for all tests of a file. */
export interface BoxForEachTest extends Omit<Box, "clear"> {
  /** Path of the executable. */
  readonly program: string;
}

/** To be called where the hooks of the file stand, before those that use the box. */
export function boxForEachTest(): BoxForEachTest {
  let program: string;
  let box: Box;
  // Whoever comes first builds it, which takes its time.
  beforeAll(async () => {
    program = await executable();
  });
  beforeEach(() => {
    box = new Box();
  });
  afterEach(() => box.clear());
  return {
    get program() {
      return program;
    },
    get folder() {
      return box.folder;
    },
    get stateDir() {
      return box.stateDir;
    },
    keep: (process) => box.keep(process),
  };
}
