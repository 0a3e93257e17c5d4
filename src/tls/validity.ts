/** When a certificate that is still valid needs a person. */

/** Whoever renews by hand wants so much time. */
const ENDS_SOON_MS = 14 * 86_400_000;
/** Of its validity, where that is short: by then one that is renewed by itself has long been renewed. */
const ENDS_SOON_PART = 1 / 4;

/**
 * Whether a certificate ends within 14 days; one of less than 56 days, within a quarter of its time.
 * @param certificate its validity, and the present, in UTC milliseconds
 */
export function endsSoon(
  { notBefore, notAfter }: { readonly notBefore: number; readonly notAfter: number },
  now: number,
): boolean {
  return notAfter - now < Math.min(ENDS_SOON_MS, (notAfter - notBefore) * ENDS_SOON_PART);
}
