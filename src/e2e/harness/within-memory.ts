/** Commands that may take only so much memory, so that one which takes all harms nobody but itself. */

/**
 * The command with a limit on its own memory: beyond it the system refuses more, which ends it or
 * makes it fail. What is only reserved does not count, as the engine reserves many times what it uses.
 * @param mebibytes 1 or more; 300 are enough to start the product
 */
export function withinMemory(mebibytes: number, command: readonly string[]): string[] {
  return ["/bin/sh", "-c", `ulimit -d ${mebibytes * 1_024} && exec "$@"`, "sh", ...command];
}
