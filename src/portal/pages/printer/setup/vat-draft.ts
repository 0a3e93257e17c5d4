/** A VAT table while it is changed. */

/** A rate as it is typed. */
export interface RateDraft {
  readonly text: string;
  readonly enabled: boolean;
}

/** A rate of the printer, in percent. */
export interface VatRate {
  readonly group: string;
  readonly rate: number;
  readonly enabled: boolean;
}

/** Percent with at most two decimals, by point or comma; undefined for what is none. */
export function readRate(text: string): number | undefined {
  const plain = text.trim().replace(",", ".");
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(plain)) return undefined;
  const rate = Number(plain);
  return rate <= 100 ? rate : undefined;
}

/** Those that differ from what the printer has. */
export function wishedRates(
  now: readonly VatRate[],
  drafts: Readonly<Record<string, RateDraft>>,
): VatRate[] {
  return now.flatMap(({ group, rate, enabled }) => {
    const draft = drafts[group];
    if (draft === undefined) return [];
    const wished = readRate(draft.text) ?? rate;
    const isSame = wished === rate && draft.enabled === enabled;
    return isSame ? [] : [{ group, rate: wished, enabled: draft.enabled }];
  });
}
