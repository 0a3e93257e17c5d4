/** Where somebody is led back to, from an address that anybody can write. */

/**
 * An address of this portal as a browser takes it, which leaves out tabs and line breaks and reads
 * `\` as `/`; somebody else's would lead people astray.
 * @param from a path with what follows it
 * @param origin of the portal
 * @returns `/` for everything that is not of the portal
 */
export function ownPath(from: string | null, origin: string): string {
  if (!from?.startsWith("/") || !URL.canParse(from, origin)) return "/";
  const { origin: found, pathname, search, hash } = new URL(from, origin);
  // What begins with two is an address of its own the next time it is read.
  return found === origin && !pathname.startsWith("//") ? `${pathname}${search}${hash}` : "/";
}
