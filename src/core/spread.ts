/** An amount spread in proportion: over VAT groups, lines or tenders. */

/**
 * Each part is rounded down; what is left over goes, a minor unit each, to those whose part was
 * cut the most. The parts add up exactly, and none is larger than its weight where the amount is not
 * larger than all of them.
 * @param amountMinor at least 0
 * @param weights what each has of the whole, none negative
 * @returns the part of each; all 0 where the weights are
 */
export function spread(amountMinor: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const parts = weights.map((weight) => {
    // The product passes 2^53 at the largest amounts.
    const exact = BigInt(amountMinor) * BigInt(weight);
    return { part: Number(exact / BigInt(sum)), cut: exact % BigInt(sum) };
  });
  let rest = amountMinor - parts.reduce((all, { part }) => all + part, 0);
  const byCut = [...parts].sort(
    (one, other) => Number(other.cut > one.cut) - Number(other.cut < one.cut),
  );
  for (const entry of byCut) {
    if (rest === 0) break;
    entry.part += 1;
    rest -= 1;
  }
  return parts.map(({ part }) => part);
}
