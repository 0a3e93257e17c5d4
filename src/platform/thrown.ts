/** What anything that was thrown says of itself. Whether a secret may stand in it is not looked at. */

/** Why, in words: an error's message without its name, stack or causes, or what else was thrown. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * The `code` that the system, the runtime or a library gave an error, such as `ENOENT` or
 * `SQLITE_FULL`.
 * @returns undefined for what has none, or none of letters
 */
export function errorCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

/** True for what the system says of a file, a disk or an address: `ENOSPC` and its like. */
export function isSystemError(thrown: unknown): thrown is Error {
  return /^E[A-Z]+$/.test(errorCode(thrown) ?? "");
}
