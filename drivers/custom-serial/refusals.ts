/** Refusals of a device: from `ERRnn` and the profile's meanings to fiscal errors. */

import type { FiscalError } from "#core/errors.ts";
import { deviceFault } from "../shared/device-fault.ts";
import type { Profile } from "./compile-profile.ts";

/** A refusal as the device wrote it. */
export interface Refusal {
  /** Its number without leading zeros; empty when the device gave none. */
  readonly number: string;
  readonly fault: FiscalError;
  /** The device is busy with something else, and takes the command later. */
  readonly isBusy: boolean;
}

type Errors = Profile["errors"];

/** The number of a refusal; undefined when the answer is none. */
export function refusalNumber(body: string, { prefix }: Errors): string | undefined {
  if (!body.startsWith(prefix)) return undefined;
  const [digits = ""] = /^\d{0,4}/.exec(body.slice(prefix.length)) ?? [];
  return plainNumber(digits);
}

/** A number without leading zeros, as profiles write it. */
export function plainNumber(digits: string): string {
  return digits.replace(/^0+(?=\d)/, "");
}

/** What a refusal with this number means. */
export function refusalOf(number: string, errors: Errors): Refusal {
  const meaning = errors.meanings.get(number) ?? errors.meanings.get("*") ?? "E305";
  const isBusy = meaning === "busy";
  const device = { code: number, message: `${errors.prefix}${number}` };
  // A device that stays busy refuses the command for good: nothing was carried out.
  return { number, fault: deviceFault(isBusy ? "E305" : meaning, device), isBusy };
}
