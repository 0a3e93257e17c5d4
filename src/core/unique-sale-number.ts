/** Unique sale numbers, as they are held against each other. */

/**
 * The one form of a number that tills write in several: a person who types it from the paper of a sale
 * may write small letters, or a blank beside it. Null for none.
 */
export function saleNumberForm(written: string | null | undefined): string | null {
  return written?.trim().toUpperCase() || null;
}
