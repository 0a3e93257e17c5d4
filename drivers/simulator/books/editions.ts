/**
 * What stands above and below every document, for those that were printed before it was changed:
 * paper keeps what is on it. The state of the books is what the next document gets; an edition is
 * what documents up to a number got.
 */

import {
  type BookState,
  type Edition,
  type PaperEnd,
  type PaperTop,
  RECENT_DOCUMENTS_MAX,
} from "./books.ts";

/** As many as there are documents that can be shown; each edition has at least one. */
const EDITIONS_MAX = RECENT_DOCUMENTS_MAX;

type EditedBooks = Pick<
  BookState,
  "header" | "logo" | "settings" | "footer" | "vat" | "pastTops" | "pastEnds"
>;

/** Keeps the tops of what has begun until now, before they change. */
export function keepTop(books: BookState): void {
  const { header, logo, settings, documentNumber } = books;
  const top = { header: [...header], ...(logo ? { logo: [...logo] } : {}), settings };
  books.pastTops = withEdition(books.pastTops, { ...structuredClone(top), until: documentNumber });
}

/** Keeps the ends of what is finished until now, before they change. */
export function keepEnd(books: BookState): void {
  const { footer, vat, open, documentNumber } = books;
  // The open document has the last number, and its end is still to be printed.
  const until = open ? documentNumber - 1 : documentNumber;
  books.pastEnds = withEdition(books.pastEnds, { ...structuredClone({ footer, vat }), until });
}

/** What the document with this number began with. */
export function topOf(books: EditedBooks, number: number): PaperTop {
  return books.pastTops?.find(({ until }) => until >= number) ?? books;
}

/** What the document with this number ended with. */
export function endOf(books: EditedBooks, number: number): PaperEnd {
  return books.pastEnds?.find(({ until }) => until >= number) ?? books;
}

function withEdition<Part>(
  past: readonly Edition<Part>[] = [],
  edition: Edition<Part>,
): readonly Edition<Part>[] {
  // Nothing was printed since the last change: nobody saw what was set in between.
  if (edition.until <= (past.at(-1)?.until ?? 0)) return past;
  return [...past, edition].slice(-EDITIONS_MAX);
}
