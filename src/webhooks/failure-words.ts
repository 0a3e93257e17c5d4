/** Why an attempt broke off, for the person who looks after the endpoint. */

/** By the code that the runtime gives a fault; the first that fits counts. */
const WORDS: readonly (readonly [codes: RegExp, words: string])[] = [
  [/^ECONNREFUSED$/, "Nobody listens at the endpoint's address and port"],
  [
    /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/,
    "The network has no way to the endpoint's address",
  ],
  [/^ENOTFOUND$/, "The endpoint's name is not known"],
  [/^EAI_AGAIN$/, "The endpoint's name cannot be looked up now"],
  [
    /^(ECONNRESET|EPIPE|ERR_SOCKET_CLOSED)$/,
    "The endpoint closed the connection before it had answered",
  ],
  [/^CERT_HAS_EXPIRED$/, "The endpoint's certificate has expired"],
  [/^CERT_NOT_YET_VALID$/, "The endpoint's certificate is not valid yet: compare the clocks"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "The endpoint's certificate is for another name"],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.+)$/,
    "The endpoint's certificate is of an authority that the gateway does not know " +
      "(webhooks.caFile names your own)",
  ],
  [/^ERR_SSL_/, "The endpoint does not speak TLS at this port, or not a kind that is safe"],
  [/^ENOENT$/, "The gateway cannot read the file of webhooks.caFile"],
  [/^HPE_HEADER_OVERFLOW$/, "The headers of the endpoint's answer are too long"],
  [/^HPE_/, "What the endpoint answered is not HTTP"],
];

/** The words, and behind them what the runtime says of it; that alone where there are none. */
export function failureWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  const known = WORDS.find(([codes]) => codes.test(code));
  return known === undefined ? error.message : `${known[1]}: ${error.message}`;
}
