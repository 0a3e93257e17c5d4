/**
 * Rows that a purge removes in one operation of the writer. Others wait behind it: this many take
 * a few milliseconds, a day's worth of them takes a second.
 */
export const PURGE_ROWS_MAX = 500;
