/** The dialects of each driver, the likelier device first. */

import type { IslDialect } from "../dialect.ts";
import { c } from "./c.ts";
import { p } from "./p.ts";
import { roLegacy } from "./ro-legacy.ts";
import { roX } from "./ro-x.ts";
import { x } from "./x.ts";

export const VENDOR_A: readonly IslDialect[] = [x, roX, p, c, roLegacy];
