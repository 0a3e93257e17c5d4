/** When a certificate of an authority elsewhere is renewed, and when a try is repeated, failed or not. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Of the validity: from then on a new one is asked for. */
const RENEWED_AFTER = 2 / 3;
/** Earlier by up to this part of the validity, so that gateways do not all come at once. */
const SPREAD = 0.05;
const FIRST_RETRY_MS = 5 * MINUTE_MS;
const LONGEST_RETRY_MS = 12 * HOUR_MS;
/** What an authority may ask for: a limit of Let's Encrypt's is over after a week. */
const LONGEST_ASKED_MS = 8 * 24 * HOUR_MS;
/** Let's Encrypt gives five certificates of the same names a week. */
const LONGEST_REST_MS = 7 * 24 * HOUR_MS;
/** Of the validity: for so long one that was just obtained is not asked for again. */
const RESTS_FOR = 1 / 3;
/** A wait is longer or shorter by up to this part. */
const RETRY_SPREAD = 0.25;

/**
 * The instant from which on a certificate is renewed: the same whenever it is asked.
 * @param certificate its validity in UTC milliseconds; its fingerprint makes the difference between
 * gateways
 */
export function renewalAt(certificate: {
  readonly notBefore: number;
  readonly notAfter: number;
  readonly fingerprint: string;
}): number {
  const { notBefore, notAfter, fingerprint } = certificate;
  const part = Number.parseInt(fingerprint.replaceAll(":", "").slice(0, 8), 16) / 0xffff_ffff;
  return notBefore + (notAfter - notBefore) * (RENEWED_AFTER - SPREAD * part);
}

/**
 * How long to wait after so many failures in a row: 5 minutes, doubled up to 12 hours. Authorities
 * refuse whoever fails five times within an hour.
 * @param options.chance from 0 to 1
 * @param options.askedForMs what the authority asked for; never less than that, up to eight days
 */
export function retryAfter(
  failures: number,
  options: { readonly chance: number; readonly askedForMs: number },
): number {
  const doubled = FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20);
  const spread = 1 + RETRY_SPREAD * (2 * options.chance - 1);
  const askedForMs = Math.min(options.askedForMs, LONGEST_ASKED_MS);
  return Math.max(askedForMs, Math.min(LONGEST_RETRY_MS, doubled) * spread);
}

/**
 * How long a certificate that was just obtained is not asked for again, whatever the clock says of it: where that
 * is not the authority's, the next one begins in the future, or is old, as well.
 */
export function restAfter(certificate: {
  readonly notBefore: number;
  readonly notAfter: number;
}): number {
  const { notBefore, notAfter } = certificate;
  return Math.min(LONGEST_REST_MS, (notAfter - notBefore) * RESTS_FOR);
}

/**
 * Whether the next try is still to wait. One that is noted for later than any wait lasts was noted while
 * the clock was ahead.
 * @param nextAt instant of the next try; UTC milliseconds
 */
export function isToWait(nextAt: number, now: number): boolean {
  return now < nextAt && nextAt - now <= LONGEST_ASKED_MS;
}
