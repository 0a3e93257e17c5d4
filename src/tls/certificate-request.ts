/** Keys for an authority elsewhere, and what it is asked to sign. */

import { ALGORITHM, keyText, library } from "./authority.ts";

/** A new key on P-256, PKCS #8 as PEM. */
export async function newKeyText(): Promise<string> {
  return keyText(await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]));
}

/**
 * A new key, and the request for a certificate of it.
 * @param names host names
 */
export async function certificateRequest(
  names: readonly string[],
): Promise<{ readonly key: string; readonly request: Uint8Array }> {
  const x509 = await library();
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const request = await x509.Pkcs10CertificateRequestGenerator.create(
    {
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: "dns" as const, value })),
        ),
      ],
    },
    crypto,
  );
  return { key: await keyText(keys), request: new Uint8Array(request.rawData) };
}
