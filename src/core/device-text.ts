/** Text that comes from a device: whatever it says, it must not act on whoever shows it. */

/** Characters of one text that are kept. */
export const DEVICE_TEXT_MAX = 255;

/** Control and format characters, and the line ends of Unicode. */
const CONTROLS = "[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+";
const AT_THE_ENDS = new RegExp(`^${CONTROLS}|${CONTROLS}$`, "gu");
const WITHIN = new RegExp(CONTROLS, "gu");

/**
 * The text without control characters, of which those within become one blank each run.
 * @param max characters that are kept, in code points
 */
export function toDeviceText(text: string, max: number = DEVICE_TEXT_MAX): string {
  const plain = text.replace(AT_THE_ENDS, "").replace(WITHIN, " ");
  return plain.length <= max ? plain : Array.from(plain).slice(0, max).join("");
}
