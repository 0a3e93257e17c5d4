/** Why an attempt broke off, for the person who looks after the endpoint. */

import { failureBeginning, type KnownFailure } from "#core/delivery-failure.ts";
import { errorCode, errorText } from "../platform/thrown.ts";

/** By the code that the runtime gives a fault; the first that fits counts. */
const FAILURES: readonly (readonly [codes: RegExp, failure: KnownFailure])[] = [
  [/^ECONNREFUSED$/, "refused"],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/, "unreachable"],
  [/^ENOTFOUND$/, "unknown_name"],
  [/^EAI_AGAIN$/, "no_lookup"],
  [/^(ECONNRESET|EPIPE|ERR_SOCKET_CLOSED)$/, "closed"],
  [/^CERT_HAS_EXPIRED$/, "certificate_expired"],
  [/^CERT_NOT_YET_VALID$/, "certificate_early"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "certificate_name"],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.+)$/,
    "certificate_authority",
  ],
  [/^ERR_SSL_/, "no_tls"],
  [/^ENOENT$/, "no_ca_file"],
  [/^HPE_HEADER_OVERFLOW$/, "long_headers"],
  [/^HPE_/, "not_http"],
];

/** The words, and behind them what the runtime says of it; that alone where there are none. */
export function failureWords(error: unknown): string {
  const code = errorCode(error) ?? "";
  const text = errorText(error);
  const known = FAILURES.find(([codes]) => codes.test(code));
  return known === undefined ? text : `${failureBeginning(known[1])}: ${text}`;
}
