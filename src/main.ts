/** Entry of the executable: hands the arguments to the command line and ends with its exit code. */

import { runCommandLine } from "./cli/program.ts";

process.exit(await runCommandLine(process.argv.slice(2)));
