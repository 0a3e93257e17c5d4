/** Entry of the executable: hands the arguments to the command line and ends with its exit code. */

import { SIMULATED_PRINTERS } from "./app/simulated/messages.ts";
import { tellView } from "./app/view-aside.ts";
import { currentSurroundings } from "./config/surroundings.ts";
import { keepSmall } from "./platform/engine.ts";

const args = process.argv.slice(2);
// The one command that runs for months; before anything else is loaded, for it is loaded again.
if (args[0] === "serve") keepSmall(currentSurroundings().environment);
if (args[0] === SIMULATED_PRINTERS) {
  const { runSimulatedPrinters } = await import("./app/simulated/process.ts");
  await runSimulatedPrinters(args[1] ?? ".");
  process.exit(0);
}
if (await tellView(args)) process.exit(0);
const { runCommandLine } = await import("./cli/program.ts");
process.exit(await runCommandLine(args));
