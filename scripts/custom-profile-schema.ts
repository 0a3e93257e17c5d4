/** Writes docs/custom-profile.schema.json from the schema that profiles are checked with; then `bun run format`. */

import { join } from "node:path";
import { publishedSchema } from "#drivers/custom-serial/published-schema.ts";

const FILE = join(import.meta.dir, "../docs/custom-profile.schema.json");

await Bun.write(FILE, `${JSON.stringify(publishedSchema(), null, 2)}\n`);
