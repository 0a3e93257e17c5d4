/** What machine and system this is, for people who look for one among several. */

import { readFileSync } from "node:fs";
import { release, type } from "node:os";

/** Where Linux tells the name of a board, and of a PC. */
const MODEL_FILES: readonly string[] = [
  "/sys/firmware/devicetree/base/model",
  "/sys/devices/virtual/dmi/id/product_name",
];

/** The machine's model, such as `Raspberry Pi 4 Model B Rev 1.5`; its processor where unknown. */
export function machineModel(): string {
  for (const file of MODEL_FILES) {
    const model = textOf(file);
    if (model !== "") return model;
  }
  return process.arch;
}

/** Name and release of the operating system's kernel. */
export function systemVersion(): string {
  return `${type()} ${release()}`;
}

/** Without the NUL that ends it in the device tree; empty when there is none. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8").replaceAll("\0", "").trim();
  } catch {
    return "";
  }
}
