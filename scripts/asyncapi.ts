/** Writes docs/controller-protocol.asyncapi.json from the schemas of the messages; then `bun run format`. */

import { join } from "node:path";
import { controllerAsyncApi } from "#src/modules/controllers/asyncapi.ts";
import { VERSION } from "#src/version.ts";

const FILE = join(import.meta.dir, "../docs/controller-protocol.asyncapi.json");

await Bun.write(FILE, `${JSON.stringify(controllerAsyncApi(VERSION), null, 2)}\n`);
