/**
 * Requests made from the OpenAPI document, other ones than the gate's: bun run fuzz [--runs N]
 * [--seed N] [--only TEXT]
 *
 * --runs N     so many requests of each kind for each operation, 500 at most, because they queue
 *              commands, of which only so many may wait; 100 unless given
 * --seed N     which requests: the same ones again for the same number; any number unless given
 * --only TEXT  only the operations with this in their name: `/receipts`, `POST /api/v1/devices`
 */

import { join } from "node:path";
import { parseArgs } from "node:util";

const TESTS = join(import.meta.dir, "..", "src", "modules", "fuzz.test.ts");
/** For one operation, however many requests it gets. */
const TIMEOUT_MS = 24 * 3_600_000;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100" },
    seed: { type: "string", default: String(crypto.getRandomValues(new Uint16Array(1))[0]) },
    only: { type: "string", default: "" },
  },
});
for (const [name, most] of [
  ["runs", 500],
  ["seed", 999_999_999],
] as const) {
  if (/^\d+$/.test(values[name]) && Number(values[name]) <= most) continue;
  console.error(`--${name} is a number up to ${most}, not ${values[name]}`);
  process.exit(2);
}

console.log(`seed ${values.seed}, ${values.runs} requests of each kind for each operation`);
const { exitCode } = Bun.spawnSync({
  cmd: [process.execPath, "test", `--timeout=${TIMEOUT_MS}`, "--only-failures", TESTS],
  env: {
    ...process.env,
    FISCALD_FUZZ_RUNS: values.runs,
    FISCALD_FUZZ_SEED: values.seed,
    FISCALD_FUZZ_ONLY: values.only,
  },
  stdio: ["ignore", "inherit", "inherit"],
});
process.exit(exitCode);
