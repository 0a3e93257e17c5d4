/** Builds what the tests start, once, before they would each do so: bun <this file> */

import { executable, printerExecutable } from "./program.ts";

await executable();
await printerExecutable();
