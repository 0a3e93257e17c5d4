/** Writes what the migrations make beside them anew: bun scripts/newest-schema.ts */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writtenSchema } from "#db/made-schema.ts";

const path = join(import.meta.dir, "..", "db", "migrations", "newest-schema.json");
writeFileSync(path, `${JSON.stringify(writtenSchema(), null, 2)}\n`);
