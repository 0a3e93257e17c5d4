/** What the kernel keeps of files in memory. */

import { flush } from "./durable-file.ts";

/**
 * Has whoever reads a file next read it from the disk: it is written there, and the kernel forgets its
 * copy. A stick that only says it has so much room gives back something else then. By `dd`, for the
 * runtime has no call for it; where that is none of GNU's the copy stays.
 * Source: coreutils' manual, `iflag=nocache` with `count=0`.
 * @throws the system's error when it cannot be written
 */
export async function forgetCached(path: string): Promise<void> {
  flush(path);
  const words = ["dd", `if=${path}`, "iflag=nocache", "count=0", "status=none"];
  if (Bun.which("dd") === null) return;
  await Bun.spawn(words, { stdio: ["ignore", "ignore", "ignore"] }).exited;
}
