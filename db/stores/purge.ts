/**
 * Rows that a purge removes in one operation of the writer. Others wait for it and its commit: keys
 * lie scattered, so each row may change a page of its own, and a day's worth takes a second.
 */
export const PURGE_ROWS_MAX = 50;
