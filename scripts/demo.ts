/**
 * From nothing to a printed receipt: bun run demo [--once]
 *
 * Installs, builds, starts the gateway on a fresh state directory and a simulated printer, sets
 * both up over the API as any client would, prints a receipt and shows the paper. Then it keeps
 * serving until Ctrl-C; with --once it ends after the receipt.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorText } from "../src/platform/thrown.ts";

const ROOT = join(import.meta.dir, "..");
const program = join(ROOT, "dist", "fiscald");
const EXAMPLE = join(ROOT, "docs", "examples", "receipt.json");
const once = process.argv.includes("--once");

/** Shows a step, runs it, shows how long it took; a failed one ends the program with its reason. */
async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  process.stdout.write(`  ${name} ... `);
  try {
    const value = await work();
    console.log(`${Math.round(performance.now() - startedAt)} ms`);
    return value;
  } catch (error) {
    console.log("FAILED");
    console.error(`\n${name} failed: ${errorText(error)}`);
    await cleanUp();
    process.exit(1);
  }
}

/** What must end with the demo, last started first. */
const endings: (() => Promise<unknown>)[] = [];
async function cleanUp(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end().catch(() => undefined);
}

/** Runs Bun itself with these arguments. @throws Error with all it wrote when it fails */
async function runBun(...args: readonly string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`\n${out}${err}`.trimEnd());
}

console.log("fiscald demo\n");
await step("install the locked dependencies", () => runBun("install", "--frozen-lockfile"));
// In a process of its own: this one looked for modules before there were any, and remembers that.
await step("build the executable dist/fiscald", () => runBun("scripts/build.ts"));

// Only now is there anything to import from.
const { registerDevice, registerShop, startGateway } = await import(
  "../src/e2e/harness/gateway.ts"
);
const { startPrinter } = await import("../src/e2e/harness/simulator.ts");
const { createClient } = await import("../src/client/index.ts");

const folder = mkdtempSync(join(tmpdir(), "fiscald-demo-"));
endings.push(async () => rmSync(folder, { recursive: true, force: true }));
const printer = await step("switch on a simulated printer", () =>
  startPrinter({
    stateFile: join(folder, "printer.state"),
    program,
    place: { host: "127.0.0.1", port: 0 },
  }),
);
endings.push(() => printer.stop());
const gateway = await step("start the gateway on a fresh state directory", () =>
  startGateway(join(folder, "state"), { program }),
);
endings.push(() => gateway.stop());
const shop = await step("register the owner and create an API key", () =>
  registerShop(gateway.url),
);
const deviceId = await step("register the device", () =>
  registerDevice(shop.till, { driver: "vendorA.isl", host: printer.host, port: printer.port }),
);
const receipt = await step("print the receipt of docs/examples/receipt.json", async () => {
  const client = createClient({ url: gateway.url, apiKey: shop.key });
  const order = await Bun.file(EXAMPLE).json();
  const end = await client.print<"print_receipt">({ key: "sale-1", deviceId, ...order });
  if (end.outcome === "printed") return end;
  throw new Error(`its outcome is ${end.outcome}: ${JSON.stringify(end.command.result)}`);
});

const hasColours = process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== "dumb";
console.log(
  `\n${await (await fetch(`${printer.control}/paper${hasColours ? ".ansi" : ""}`)).text()}`,
);
console.log(`fiscal id    ${receipt.fiscalId}`);
console.log(`paper        ${printer.control}/`);
console.log(`API          ${gateway.url}/api/v1`);
console.log(`API docs     ${gateway.url}/api/v1/docs`);
console.log(`API key      ${shop.key}`);
console.log(`device       ${deviceId}`);
console.log(`owner login  ${shop.email}  ${shop.password}`);

if (!once) {
  console.log("\nPrint it again from another terminal (Ctrl-C here ends the demo):\n");
  console.log(`  curl -s ${gateway.url}/api/v1/commands -H "x-api-key: ${shop.key}" \\`);
  console.log('    -H "content-type: application/json" -H "Idempotency-Key: sale-2" \\');
  console.log(`    -d '{"deviceId":"${deviceId}",'"$(tail -c +2 docs/examples/receipt.json)"`);
  await new Promise((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  console.log("\nstopping");
}
await cleanUp();
process.exit(0);
