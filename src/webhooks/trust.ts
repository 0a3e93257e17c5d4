/** Whose certificates webhooks trust. */

import { readFile } from "node:fs/promises";
import type { SecureContext } from "node:tls";

/** Gives what a connection is made with. @throws Error when the file cannot be read */
export type Trust = () => Promise<SecureContext>;

/**
 * The usual authorities, and those of a file. What is made of them is kept for all connections until
 * the file changes: to make it takes three times as long as the rest of a request.
 * @param caFile PEM file; empty for none
 */
export function createTrust(caFile: string): Trust {
  let kept: { readonly text: string; readonly context: SecureContext } | undefined;
  return async () => {
    const text = caFile === "" ? "" : await readFile(caFile, "utf8");
    if (kept?.text !== text) {
      const { createSecureContext, rootCertificates } = await import("node:tls");
      const ca = text === "" ? {} : { ca: [...rootCertificates, text] };
      kept = { text, context: createSecureContext(ca) };
    }
    return kept.context;
  };
}
