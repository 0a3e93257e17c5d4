/** Commands that may take only so much memory, so that one which takes all harms nobody but itself. */

/**
 * The command with a limit on its own memory: beyond it the system refuses more, which ends it or
 * makes it fail. The engine reserves many times what it uses, and less where less is allowed.
 * @param mebibytes 1 or more; the gateway starts within 300, and aborts within 150
 */
export function withinMemory(mebibytes: number, command: readonly string[]): string[] {
  return ["/bin/sh", "-c", `ulimit -d ${mebibytes * 1_024} && exec "$@"`, "sh", ...command];
}
