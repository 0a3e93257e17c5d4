/** How the pitches of text lines look on paper. */

import type { Look, TextForm } from "../../simulator/paper/line.ts";

/** What a command may name; 3 is small type, of which more fits on a line. */
export const PITCHES = ["1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;
export type Pitch = (typeof PITCHES)[number];

/** The manual calls 7 to 9 combinations without saying of what; these are a guess. */
const LOOKS: Readonly<Record<Pitch, Look | undefined>> = {
  "1": undefined,
  "2": { bold: true },
  "3": undefined,
  "4": { doubleHeight: true },
  "5": { doubleWidth: true },
  "6": { italic: true },
  "7": { bold: true, doubleHeight: true },
  "8": { bold: true, doubleWidth: true },
  "9": { doubleHeight: true, doubleWidth: true },
};

/** The form of a line of this pitch; undefined for plain text. */
export function formOf(pitch: Pitch): TextForm | undefined {
  const look = LOOKS[pitch];
  return look && { form: "styled", look, align: "left" };
}
