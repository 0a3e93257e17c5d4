/** Writes docs/conformance.md anew: bun scripts/conformance.ts */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { conformancePage, PAGE } from "./conformance/page.ts";
import { SECTIONS } from "./conformance/sections.ts";

writeFileSync(join(import.meta.dir, "..", PAGE), conformancePage(SECTIONS));
