/** Whose printers a driver is for. */

import type { components } from "../../client/index.ts";

/** Name of a driver. */
export type Driver = components["schemas"]["Device"]["driver"];

/** Makers, as their names are written. */
export const MAKERS = {
  "vendorA.isl": "Datecs",
  "vendorB.isl": "Daisy",
  "vendorC.isl": "Eltrade",
  "vendorD.isl": "Incotex",
  "vendorE.zfp": "Tremol",
  "vendorF.shtrih": "Shtrih-M",
  "custom.serial": "CUSTOM",
} as const satisfies Record<Driver, string>;

/** The port that their printers in a network are looked for at first, as many are delivered. */
export const FIRST_PORTS = {
  "vendorA.isl": 3999,
  "vendorB.isl": 3999,
  "vendorC.isl": 3999,
  "vendorD.isl": 3999,
  "vendorE.zfp": 8000,
  "vendorF.shtrih": 7778,
  "custom.serial": 9100,
} as const satisfies Record<Driver, number>;

/** Printers with Latin letters alone; they print ? for others. */
const LATIN_ONLY: readonly Driver[] = ["custom.serial"];
const OTHER_LETTERS = /[^\p{Script=Latin}\p{N}\p{P}\p{Zs}]+\.?/gu;

/** What of a text a driver's printers can print; empty when no word of it is left. */
export function printable(driver: Driver | undefined, text: string): string {
  if (driver === undefined || !LATIN_ONLY.includes(driver)) return text;
  const kept = text
    .replaceAll(OTHER_LETTERS, "")
    .replaceAll(/\s+(?=,)/g, "")
    .trim();
  return /[\p{L}\p{N}]/u.test(kept) ? kept : "";
}

/** Serial numbers of printers that were made for Romania. */
const ROMANIAN = /^DB\d/;

/** What a printer calls VAT groups 1, 2, 3 and on, on its paper; undefined until that is known. */
export function groupLetters({
  driver,
  serialNumber,
}: Pick<components["schemas"]["Device"], "driver" | "serialNumber">): string | undefined {
  if (serialNumber === null) return undefined;
  return LATIN_ONLY.includes(driver) || ROMANIAN.test(serialNumber) ? "ABCDEFGH" : "АБВГДЕЖЗ";
}

/** As what a printer is simulated for a shop: of some drivers the usual model is sold elsewhere. */
export function simulatedAs(driver: Driver, currency: string | undefined): Simulated {
  const isRomanian = driver === "vendorA.isl" && currency === "RON";
  return isRomanian ? { driver, model: "ro-x" } : { driver };
}

type Simulated =
  | { readonly driver: Driver }
  | { readonly driver: "vendorA.isl"; readonly model: "ro-x" };

/** For a choice. */
export const DRIVER_CHOICES = Object.entries(MAKERS).map(([value, label]) => ({ value, label }));

/** True for the name of a driver. */
export function isDriver(name: string): name is Driver {
  return Object.hasOwn(MAKERS, name);
}
