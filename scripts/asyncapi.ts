/** Writes docs/controller-protocol.asyncapi.json from the schemas of the messages: bun scripts/asyncapi.ts */

import { join } from "node:path";
import { asyncApiText } from "#src/modules/controllers/asyncapi.ts";
import { VERSION } from "#src/version.ts";

const FILE = join(import.meta.dir, "../docs/controller-protocol.asyncapi.json");

await Bun.write(FILE, asyncApiText(VERSION));
