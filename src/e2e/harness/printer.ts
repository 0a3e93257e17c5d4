/** Entry of the simulated printer's own executable: `fiscald simulate`, and nothing else. */

import { simulateCommand } from "../../cli/simulate.ts";

const [, , ...args] = process.argv;
// The first one is the command's name, as the product takes it.
await simulateCommand().parseAsync(args.slice(1), { from: "user" });
process.exit(0);
