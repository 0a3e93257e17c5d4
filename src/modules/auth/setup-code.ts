/** The code that shows whoever registers first to be the one who installed the gateway. */

import { timingSafeEqual } from "node:crypto";
import type { ApplianceStore } from "#db/stores/appliance.ts";
import type { Random } from "../../platform/random.ts";

/** Without the letters that are taken for others. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const GROUPS = 3;
const GROUP_CHARACTERS = 4;

export interface SetupCode {
  /** As it is shown: `7K2M-9QXT-04HB`. The same until there is an organization. */
  text(): string;
  /** True for the code, in whatever case and with whatever between its characters. */
  isRight(given: string): boolean;
}

/** The appliance's code; made when it is first asked for. */
export function createSetupCode(appliance: ApplianceStore, random: Random): SetupCode {
  const text = () => appliance.getOrCreate("setup.code", () => newCode(random));
  return {
    text,
    isRight(given) {
      const right = Buffer.from(plain(text()));
      const asked = Buffer.from(plain(given));
      return right.length === asked.length && timingSafeEqual(right, asked);
    },
  };
}

function newCode(random: Random): string {
  const character = () => ALPHABET.charAt(random.integer(ALPHABET.length));
  const group = () => Array.from({ length: GROUP_CHARACTERS }, character).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}

function plain(code: string): string {
  return code.toUpperCase().replace(/[^0-9A-Z]/g, "");
}
