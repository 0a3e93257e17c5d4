/** Sizes of files as people read them. */

import type { Format } from "../../../words/format.ts";

const MEGABYTE = 1_000_000;
const KILOBYTE = 1_000;

/** `151 MB`, `64 kB`, never on two lines. */
export function sizeText(bytes: number, format: Format): string {
  if (bytes < MEGABYTE) return `${format.number(Math.ceil(bytes / KILOBYTE))}\u00a0kB`;
  return `${format.number(Math.round(bytes / MEGABYTE))}\u00a0MB`;
}
