/**
 * What stands above and below every document, for those that were printed before it was changed:
 * paper keeps what is on it. The state of the books is what the next document gets; an edition is
 * what documents up to one of them got, in the order in which they were begun.
 */

import {
  type BookState,
  type Edition,
  type PaperEnd,
  type PaperTop,
  type PrintedDocument,
  RECENT_DOCUMENTS_MAX,
} from "./books.ts";

/** As many as there are documents that can be shown; each edition has at least one. */
const EDITIONS_MAX = RECENT_DOCUMENTS_MAX;

type EditedBooks = Pick<
  BookState,
  "header" | "logo" | "settings" | "footer" | "vat" | "pastTops" | "pastEnds"
>;

/** Which document was begun last. */
export function lastBegun({ begun, documentNumber }: BookState): number {
  return begun ?? documentNumber;
}

/** Which document it was. */
export function begunOf({ begun, number }: Pick<PrintedDocument, "begun" | "number">): number {
  return begun ?? number;
}

/** Keeps the tops of what has begun until now, before they change. */
export function keepTop(books: BookState): void {
  const { header, logo, settings } = books;
  const top = { header: [...header], ...(logo ? { logo: [...logo] } : {}), settings };
  books.pastTops = withEdition(books.pastTops, {
    ...structuredClone(top),
    until: lastBegun(books),
  });
}

/** Keeps the ends of what is finished until now, before they change. */
export function keepEnd(books: BookState): void {
  const { footer, vat, open } = books;
  // The end of the open document, which was begun last, is still to be printed.
  const until = open ? lastBegun(books) - 1 : lastBegun(books);
  books.pastEnds = withEdition(books.pastEnds, { ...structuredClone({ footer, vat }), until });
}

/** What a document began with. @param begun which it was */
export function topOf(books: EditedBooks, begun: number): PaperTop {
  return books.pastTops?.find(({ until }) => until >= begun) ?? books;
}

/** What a document ended with. @param begun which it was */
export function endOf(books: EditedBooks, begun: number): PaperEnd {
  return books.pastEnds?.find(({ until }) => until >= begun) ?? books;
}

function withEdition<Part>(
  past: readonly Edition<Part>[] = [],
  edition: Edition<Part>,
): readonly Edition<Part>[] {
  // Nothing was printed since the last change: nobody saw what was set in between.
  if (edition.until <= (past.at(-1)?.until ?? 0)) return past;
  return [...past, edition].slice(-EDITIONS_MAX);
}
