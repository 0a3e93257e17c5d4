/**
 * An instant within the name of a file or folder, in UTC: `20260301T080000Z`. Names with it are
 * sorted by time.
 * @param at UTC milliseconds
 */
export function fileStamp(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d+/g, "");
}
