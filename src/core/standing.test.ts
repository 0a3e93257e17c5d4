import { expect, test } from "bun:test";
import { type PossibleSales, possiblyOf } from "./standing.ts";

interface Sale {
  readonly id: string;
  /** It had what goes back. */
  readonly hadSuch: boolean;
}

/** Each word by nobody, by a sale that had what goes back, and by one that had not. */
const BY = (id: string): readonly (Sale | undefined)[] => [
  undefined,
  { id, hadSuch: true },
  { id: `${id} other goods`, hadSuch: false },
];

/** All that may be known of the sales. */
function* knowledge(): Generator<PossibleSales<Sale>> {
  for (const printer of BY("printer"))
    for (const till of BY("till"))
      for (const person of BY("person"))
        for (const sale of BY("accepted"))
          for (const [isContrary, isOnlySaid] of [
            [false, false],
            [true, false],
            [false, true],
          ] as const)
            for (const bySaleNumber of [[], [{ id: "unread", hadSuch: true }]])
              for (const isOtherNumber of [false, true])
                yield {
                  ...{ printer, till, person, bySaleNumber, isOtherNumber, misread: [] },
                  accepted: sale && { sale, isContrary, isOnlySaid },
                };
}

const judged = (possible: PossibleSales<Sale>) => possiblyOf(possible, ({ hadSuch }) => hadSuch);
const ids = (sales: readonly Sale[]) => sales.map(({ id }) => id);

test("what a printer says stands, whatever else is known", () => {
  for (const possible of knowledge()) {
    const { printer } = possible;
    if (printer) expect(ids(judged(possible).against)).toContain(printer.id);
  }
});

test("what was accepted for a sale stands against it until its printer says otherwise", () => {
  for (const possible of knowledge()) {
    const { accepted, printer } = possible;
    if (!accepted?.sale.hadSuch) continue;
    const isOff = accepted.isContrary || (accepted.isOnlySaid && printer !== undefined);
    expect(ids(judged(possible).against).includes(accepted.sale.id)).toBe(!isOff);
    if (!isOff) expect(judged(possible).sales[0]?.id).toBe(accepted.sale.id);
  }
});

test("no word of a person, and no unique sale number, takes it off a sale with such goods", () => {
  for (const possible of knowledge()) {
    const { person: _, ...others } = possible;
    const had = (one: PossibleSales<Sale>) => judged(one).against.filter(({ hadSuch }) => hadSuch);
    const without = { ...others, bySaleNumber: [], misread: [] };
    expect(ids(had(possible))).toEqual(expect.arrayContaining(ids(had(without))));
  }
});

test("it stands against something where anything is known", () => {
  for (const possible of knowledge()) {
    const { accepted, bySaleNumber, printer, till, person } = possible;
    const isKnown = [printer, till, person, ...bySaleNumber].some((sale) => sale !== undefined);
    const isAccepted = accepted !== undefined && !accepted.isContrary;
    expect(judged(possible).sales.length > 0).toBe(isKnown || isAccepted);
  }
});

test("a unique sale number tells nothing once a printer or a till tells a sale with such goods", () => {
  for (const possible of knowledge()) {
    const { printer, till } = possible;
    if (!printer?.hadSuch && !till?.hadSuch) continue;
    expect(ids(judged(possible).sales)).not.toContain("unread");
    expect(judged(possible).isBySaleNumber).toBe(false);
  }
});

test("a sale that is said to have the number, and began behind it, is kept from going back by that", () => {
  for (const possible of knowledge()) {
    const misread = [{ id: "misread", hadSuch: true }];
    const { against, sales } = judged({ ...possible, misread });
    expect(ids(against)).toEqual([...ids(sales), "misread"]);
  }
});
