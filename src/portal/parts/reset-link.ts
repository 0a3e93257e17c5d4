/** The address at which somebody sets a password by a code; what stands behind # no server sees. */

/** What the address carries. */
export interface ResetFacts {
  readonly code: string;
  /** Signs in at once; typed by the reader otherwise. */
  readonly email: string;
}

const PATH = "/reset";

/** @param origin of the portal */
export function resetLink(origin: string, { code, email }: ResetFacts): string {
  return `${origin}${PATH}#${new URLSearchParams({ code, email })}`;
}

/** What an address carries; empty texts where it carries nothing. @param hash with its # */
export function resetFacts(hash: string): ResetFacts {
  const parts = new URLSearchParams(hash.slice(1));
  return { code: parts.get("code") ?? "", email: parts.get("email") ?? "" };
}
