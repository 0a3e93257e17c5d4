/**
 * Which sales a reversal may be of, by what is known of each. It counts against all of them: only what is
 * known for certain takes it off one, so that in whatever order that comes nothing goes back twice. Pure.
 */

/** The sales that a reversal may be of, by what tells that. Each is the one that is meant by that word. */
export interface PossibleSales<Sale> {
  /** Its printer told, or proved, that it has the number that is named. */
  readonly printer?: Sale | undefined;
  /** A till told so. */
  readonly till?: Sale | undefined;
  /** A person said so, and nobody has proved it. */
  readonly person?: Sale | undefined;
  /** The one that it was accepted for. */
  readonly accepted?: AcceptedFor<Sale> | undefined;
  /**
   * Their unique sale number is named, and nobody but a person told their number when they ended: those of which
   * nobody knows another number than the one that is named; where there is none, those of which a person said
   * another; where there is none either, those whose printer proved another one since. The newest first.
   */
  readonly bySaleNumber: readonly Sale[];
  /** They have another number by somebody's word: they count only where nothing else is meant. */
  readonly isOtherNumber: boolean;
  /**
   * A person said that they have the number, but they began behind the order, or have another unique sale
   * number: that paper is another one. What took them back by it would take back that.
   */
  readonly misread: readonly Sale[];
}

/** What the order was accepted for. */
export interface AcceptedFor<Sale> {
  readonly sale: Sale;
  /** Its printer proved that its paper has another number than the one that is named, or is of another day. */
  readonly isContrary: boolean;
  /** It has its number by the word of a person alone. */
  readonly isOnlySaid: boolean;
}

/** The answer. */
export interface Standing<Sale> {
  /** All that it may be of: first the one that it is taken for until more is known. */
  readonly sales: readonly Sale[];
  /** These, and all others that it keeps from being taken back by the same number. */
  readonly against: readonly Sale[];
  /** True where the first of them is so by its unique sale number alone: others may be it as well. */
  readonly isBySaleNumber: boolean;
}

/**
 * @param hadSuch whether a sale had what goes back, whatever went back of it before; of `bySaleNumber` all had
 */
export function possiblyOf<Sale extends { readonly id: string }>(
  possible: PossibleSales<Sale>,
  hadSuch: (sale: Sale) => boolean,
): Standing<Sale> {
  const { printer, till, accepted } = possible;
  // What a person said counts for nothing against what a printer told.
  const person = printer === undefined ? possible.person : undefined;
  const isOff =
    accepted === undefined || accepted.isContrary || (accepted.isOnlySaid && printer !== undefined);
  const named = [isOff ? undefined : accepted.sale, printer, till, person].filter(
    (sale): sale is Sale => sale !== undefined,
  );
  const isTold = [printer, till].some((sale) => sale !== undefined && hadSuch(sale));
  // What names a number that its sale has not is of a sale that nobody told: it is held against this one till then.
  const isOther = possible.isOtherNumber && named.length > 0;
  const bySaleNumber = isTold || isOther ? [] : possible.bySaleNumber;
  const all = [...new Map([...named, ...bySaleNumber].map((sale) => [sale.id, sale])).values()];
  // Of what never had such goods another paper goes back, but for what the printer itself says.
  const fitting = all.filter((sale) => sale.id === printer?.id || hadSuch(sale));
  const sales = fitting.length > 0 ? fitting : all;
  const [first] = sales;
  const against = [...sales, ...possible.misread];
  return { sales, against, isBySaleNumber: named.every(({ id }) => id !== first?.id) };
}
