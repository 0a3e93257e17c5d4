/** Files that outlive a power cut, on file systems of all kinds. */

import { expect, test } from "bun:test";
import { flush } from "./durable-file.ts";

test("a folder that no system call writes out, as of some shared folders, is no failure", () => {
  // Nor is one of these; its files are made up.
  expect(() => flush("/proc/self/task")).not.toThrow();
  expect(() => flush("/proc/none")).toThrow("ENOENT");
});
