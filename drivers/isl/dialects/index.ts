/** The dialects of each driver, the likelier device first. */

import type { IslDialect } from "../dialect.ts";
import { c } from "./c.ts";
import { cFw3 } from "./c-fw3.ts";
import { dy } from "./dy.ts";
import { ed } from "./ed.ts";
import { incotex } from "./in.ts";
import { p } from "./p.ts";
import { roLegacy } from "./ro-legacy.ts";
import { roX } from "./ro-x.ts";
import { x } from "./x.ts";

export const VENDOR_A: readonly IslDialect[] = [x, roX, p, cFw3, c, roLegacy];
export const VENDOR_B: readonly IslDialect[] = [dy];
export const VENDOR_C: readonly IslDialect[] = [ed];
export const VENDOR_D: readonly IslDialect[] = [incotex];
