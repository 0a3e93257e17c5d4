/** Keys and certificates as text (RFC 7468). */

import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import { isIPv6 } from "node:net";

const LINE_CHARACTERS = 64;

/** A private key and its certificate; of the certificates that follow it, a server sends all. */
export interface KeyAndCertificate {
  readonly key: string;
  readonly certificate: string;
}

/** What a certificate says, and the text that a server is started with. */
export interface ServerCertificate extends KeyAndCertificate {
  /** SHA-256 of the certificate, as browsers show it: `AB:CD:...`. */
  readonly fingerprint: string;
  /** UTC milliseconds. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Host names and addresses. */
  readonly names: readonly string[];
}

/** One block. */
export function pem(label: string, der: ArrayBuffer): string {
  const text = Buffer.from(der).toString("base64");
  const lines = text.match(new RegExp(`.{1,${LINE_CHARACTERS}}`, "g")) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

/** The same, each ending in one line break. */
export function joinPem({ key, certificate }: KeyAndCertificate): KeyAndCertificate {
  return { key: `${key.trim()}\n`, certificate: `${certificate.trim()}\n` };
}

/** The key and the certificates in a text that holds both. Undefined where one is missing. */
export function splitPem(text: string): KeyAndCertificate | undefined {
  const blocks = text.match(/-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g) ?? [];
  const key = blocks.find((block) => block.includes("PRIVATE KEY"));
  const certificates = blocks.filter((block) => block.startsWith("-----BEGIN CERTIFICATE-----"));
  if (key === undefined || certificates.length === 0) return undefined;
  return joinPem({ key, certificate: certificates.join("\n") });
}

/** The binary form of the first certificate. @throws the library's error for what is none */
export function derOf(certificate: string): Buffer {
  return Buffer.from(new X509Certificate(certificate).raw);
}

/** SHA-256 of the first certificate, as browsers show it. */
export function fingerprintOf(certificate: string): string {
  const digest = createHash("sha256").update(derOf(certificate)).digest("hex").toUpperCase();
  return digest.match(/../g)?.join(":") ?? "";
}

/** Whether a server sends the same with both: its key, its certificate and all that follow it. */
export function isSamePair(one: KeyAndCertificate, other: KeyAndCertificate): boolean {
  return one.key.trim() === other.key.trim() && one.certificate.trim() === other.certificate.trim();
}

/** What key and certificate are called where one is none. */
const NAMES: KeyAndCertificate = { key: "the private key", certificate: "the certificate" };

function parsed<T>(parse: () => T, fault: string): T {
  try {
    return parse();
  } catch (error) {
    // The library's words name neither the file nor what is wrong with it.
    throw new Error(fault, { cause: error });
  }
}

/**
 * Reads what a server is started with.
 * @param names what both are called, such as their files
 * @throws Error in words when key and certificate are no pair, or one is none
 */
export function readServerCertificate(
  pair: KeyAndCertificate,
  names: KeyAndCertificate = NAMES,
): ServerCertificate {
  const first = parsed(
    () => new X509Certificate(pair.certificate),
    `${names.certificate} holds no certificate as PEM, which begins with -----BEGIN CERTIFICATE-----`,
  );
  const isLocked = /ENCRYPTED/.test(pair.key);
  const key = parsed(
    () => createPrivateKey(pair.key),
    isLocked
      ? `${names.key} holds an encrypted key, for which nobody is there to type its passphrase: store it without one`
      : `${names.key} holds no private key as PEM, which begins with -----BEGIN PRIVATE KEY-----`,
  );
  if (!first.checkPrivateKey(key)) {
    throw new Error("the private key is not that of the certificate");
  }
  return {
    ...pair,
    fingerprint: fingerprintOf(pair.certificate),
    notBefore: Date.parse(first.validFrom),
    notAfter: Date.parse(first.validTo),
    names: (first.subjectAltName ?? "")
      .split(", ")
      .map((name) => /^(?:DNS|IP Address):(.+)$/.exec(name)?.[1] ?? "")
      .filter((name) => name !== "")
      .map((name) => (isIPv6(name) ? new URL(`http://[${name}]/`).hostname.slice(1, -1) : name)),
  };
}
