/** The dialects of vendorE. */

import type { ZfpDialect } from "../dialect.ts";
import { v1 } from "./v1.ts";
import { v2 } from "./v2.ts";

export const VENDOR_E: readonly ZfpDialect[] = [v1, v2];
