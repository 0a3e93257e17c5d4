/**
 * Why an attempt to deliver failed: a name for programs, and how the words begin that deliveries
 * keep for people. What is stored are the words alone.
 */

const BEGINNINGS = {
  answered: "The endpoint answered",
  late: "No answer within",
  refused: "Nobody listens at the endpoint's address and port",
  unreachable: "The network has no way to the endpoint's address",
  unknown_name: "The endpoint's name is not known",
  no_lookup: "The endpoint's name cannot be looked up now",
  closed: "The endpoint closed the connection before it had answered",
  certificate_expired: "The endpoint's certificate has expired",
  certificate_early: "The endpoint's certificate is not valid yet: compare the clocks",
  certificate_name: "The endpoint's certificate is for another name",
  certificate_authority:
    "The endpoint's certificate is of an authority that the gateway does not know " +
    "(webhooks.caFile names your own)",
  no_tls: "The endpoint does not speak TLS at this port, or not a kind that is safe",
  no_ca_file: "The gateway cannot read the file of webhooks.caFile",
  long_headers: "The headers of the endpoint's answer are too long",
  not_http: "What the endpoint answered is not HTTP",
  disabled: "Not sent: the webhook was disabled",
  not_allowed: "Not sent: ",
} as const;

/** What is known to go wrong. */
export type KnownFailure = keyof typeof BEGINNINGS;
const KNOWN = Object.keys(BEGINNINGS) as readonly KnownFailure[];

export const DELIVERY_FAILURES = [...KNOWN, "other"] as const;
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

/** How the words for it begin. */
export function failureBeginning(failure: KnownFailure): string {
  return BEGINNINGS[failure];
}

/** What the words of a delivery are about; null where nothing failed. */
export function failureOf(words: string | null): DeliveryFailure | null {
  if (words === null) return null;
  return KNOWN.find((failure) => words.startsWith(BEGINNINGS[failure])) ?? "other";
}
