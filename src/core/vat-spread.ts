/** An amount spread over VAT groups in proportion to what a receipt holds of each. */

/**
 * Each part is rounded down; what is left over goes, a minor unit each, to those whose part was
 * cut the most. The parts add up exactly, and none is larger than its group where the amount is not
 * larger than all of them.
 * @param amountMinor at least 0
 * @param totals of the groups in minor units, none negative
 * @returns the parts that are not zero, in the order of the groups
 */
export function spreadOverGroups(
  amountMinor: number,
  totals: ReadonlyMap<string, number>,
): [group: string, partMinor: number][] {
  const sum = [...totals.values()].reduce((all, total) => all + total, 0);
  if (sum === 0) return [];
  const parts = [...totals].map(([group, total]) => {
    // The product passes 2^53 at the largest amounts.
    const exact = BigInt(amountMinor) * BigInt(total);
    return { group, part: Number(exact / BigInt(sum)), cut: exact % BigInt(sum) };
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
  return parts.filter(({ part }) => part > 0).map(({ group, part }) => [group, part]);
}
