/**
 * The shop's own certificate authority and what it issues. The library that makes certificates takes
 * 0.1 s and 20 MB to load, so it is loaded when there is one to make: at the first start, and some
 * three times in two years after that.
 */

import { createPublicKey, randomBytes } from "node:crypto";
import { decodeConstraints, encodeConstraints, NAME_CONSTRAINTS } from "./name-constraints.ts";
import { joinPem, type KeyAndCertificate, pem } from "./pem.ts";

/** ECDSA on P-256 with SHA-256: taken by whatever speaks TLS 1.2. */
export const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";
const SERIAL_BYTES = 16;

/** From when to when a certificate is valid. UTC milliseconds. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

export async function library() {
  // The library's own decorators ask for it.
  await import("reflect-metadata");
  return await import("@peculiar/x509");
}

/**
 * Makes an authority with a new key.
 * @param options.name shown by whoever lists authorities
 * @param options.domains that it may vouch for, with what is below them
 */
export async function createAuthority(options: {
  readonly name: string;
  readonly domains: readonly string[];
  readonly validity: Validity;
}): Promise<KeyAndCertificate> {
  const x509 = await library();
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: [{ CN: [options.name] }, { O: ["fiscald"] }],
      serialNumber: serialNumber(),
      ...datesOf(options.validity),
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(
          x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
          true,
        ),
        new x509.ExtendedKeyUsageExtension([SERVER_AUTHENTICATION]),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, crypto),
        new x509.Extension(NAME_CONSTRAINTS, false, encodeConstraints(options.domains)),
      ],
    },
    crypto,
  );
  return joinPem({ key: await keyText(keys), certificate: certificate.toString("pem") });
}

/** The domains that an authority may vouch for; none where its certificate does not say. */
export async function domainsOf(authority: KeyAndCertificate): Promise<readonly string[]> {
  const x509 = await library();
  const certificate = new x509.X509Certificate(authority.certificate);
  const value = certificate.getExtension(NAME_CONSTRAINTS)?.value;
  return value === undefined ? [] : decodeConstraints(new Uint8Array(value));
}

/** What a server's certificate is for. */
export interface ServerNames {
  /** Host names; the first one names the certificate. */
  readonly domains: readonly string[];
  readonly addresses: readonly string[];
  readonly validity: Validity;
}

/**
 * Makes a server's certificate.
 * @param kept a key that goes on, as PEM; a new one unless given, or where that is of another kind
 */
export async function issueCertificate(
  authority: KeyAndCertificate,
  server: ServerNames,
  kept?: string,
): Promise<KeyAndCertificate> {
  const publicKey = kept === undefined ? undefined : await publicKeyOf(kept);
  if (kept !== undefined && publicKey !== undefined) {
    const certificate = await signCertificate(authority, { ...server, publicKey });
    return joinPem({ key: kept, certificate });
  }
  const keys = await newKeys();
  const certificate = await signCertificate(authority, { ...server, publicKey: keys.publicKey });
  return joinPem({ key: await keyText(keys), certificate });
}

/** Signs a server's certificate for a key that is there. @returns it as PEM */
export async function signCertificate(
  authority: KeyAndCertificate,
  { domains, addresses, validity, publicKey }: ServerNames & { readonly publicKey: CryptoKey },
): Promise<string> {
  const x509 = await library();
  const issuer = new x509.X509Certificate(authority.certificate);
  const certificate = await x509.X509CertificateGenerator.create(
    {
      subject: [{ CN: [domains[0] ?? addresses[0] ?? "fiscald"] }],
      issuer: issuer.subjectName,
      serialNumber: serialNumber(),
      ...datesOf(validity),
      signingAlgorithm: ALGORITHM,
      signingKey: await signingKey(authority.key),
      publicKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([SERVER_AUTHENTICATION]),
        await x509.SubjectKeyIdentifierExtension.create(publicKey, false, crypto),
        await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey, false, crypto),
        new x509.SubjectAlternativeNameExtension([
          ...domains.map((value) => ({ type: "dns" as const, value })),
          ...addresses.map((value) => ({ type: "ip" as const, value })),
        ]),
      ],
    },
    crypto,
  );
  return certificate.toString("pem");
}

function newKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}

export async function keyText({ privateKey }: CryptoKeyPair): Promise<string> {
  return pem("PRIVATE KEY", await crypto.subtle.exportKey("pkcs8", privateKey));
}

/** Undefined where it is not as fiscald makes it. */
async function publicKeyOf(key: string): Promise<CryptoKey | undefined> {
  const der = createPublicKey(key).export({ type: "spki", format: "der" });
  return crypto.subtle
    .importKey("spki", new Uint8Array(der), ALGORITHM, true, ["verify"])
    .catch(() => undefined);
}

function signingKey(text: string): Promise<CryptoKey> {
  const der = Buffer.from(text.replace(/-----[^-]+-----/g, ""), "base64");
  return crypto.subtle.importKey("pkcs8", der, ALGORITHM, false, ["sign"]);
}

/** Positive, as the standard wants it (RFC 5280, 4.1.2.2). */
function serialNumber(): string {
  const bytes = randomBytes(SERIAL_BYTES);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString("hex");
}

function datesOf({ notBefore, notAfter }: Validity) {
  return { notBefore: new Date(notBefore), notAfter: new Date(notAfter) };
}
