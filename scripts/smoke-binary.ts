/**
 * Proves the executable by itself: bun scripts/smoke-binary.ts [EXECUTABLE], one built from the
 * source as it is unless given.
 *
 * A copy of it runs in an empty folder, without environment and with no node_modules above it, from
 * `version` to a printed receipt, and shows how it ends.
 */

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createClient } from "#src/client/index.ts";
import { registerDevice, registerShop, type Shop } from "#src/e2e/harness/gateway.ts";
import { type OwnProcess, startOwnProcess, textOf } from "#src/e2e/harness/own-process.ts";
import { executable } from "#src/e2e/harness/program.ts";
import { type Ended, runToEnd } from "#src/e2e/harness/run-to-end.ts";
import { version } from "../package.json";

const [, , given] = process.argv;
const EXECUTABLE = given === undefined ? await executable() : resolve(given);
const DRIVER = "vendorA.isl";

/** Where it all happens. */
interface Scene {
  /** The copy of the executable. */
  readonly executable: string;
  /** The working directory of all processes; empty at first. */
  readonly folder: string;
  /** Where what they write is kept. */
  /** What must be gone in the end, whatever happens. */
  readonly running: OwnProcess[];
}

/** A gateway that takes requests. */
interface Gateway {
  readonly process: OwnProcess;
  readonly url: string;
}

/** @throws Error unless the condition holds */
function must(condition: boolean, expected: string): void {
  if (!condition) throw new Error(`expected ${expected}`);
}

/** Runs the executable to its end. */
function run({ executable }: Scene, ...args: string[]): Promise<Ended> {
  return runToEnd([executable, ...args]);
}

/** Starts the executable and lets it run. */
function launch(scene: Scene, ...args: string[]): OwnProcess {
  const started = startOwnProcess([scene.executable, ...args]);
  scene.running.push(started);
  return started;
}

async function startGateway(scene: Scene): Promise<Gateway> {
  const started = launch(scene, "serve", "--http-listen", "127.0.0.1:0");
  return { process: started, url: textOf(await started.line("listening"), "url") };
}

async function tellsAboutItself(scene: Scene): Promise<void> {
  const { folder } = scene;
  const told = await run(scene, "version");
  must(told.code === 0 && told.out.startsWith(`fiscald ${version} `), `a version: ${told.out}`);
  const config = await run(scene, "config");
  must(config.code === 0 && config.out.includes(join(folder, "state")), "a config with ./state");
  must(readdirSync(folder).length === 0, "an untouched folder");
  const wrong = await run(scene, "serve", "--http-listen", "nowhere");
  must(wrong.code === 2 && readdirSync(folder).length === 0, "exit 2 on wrong settings");
}

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url);
  must(response.status === 200, `200 from ${url}, not ${response.status}`);
  return response.text();
}

async function answersWithoutNetwork({ url }: Gateway): Promise<void> {
  await fetchText(`${url}/livez`);
  const document: { openapi?: unknown; paths?: object } = JSON.parse(
    await fetchText(`${url}/api/v1/openapi.json`),
  );
  must(typeof document.openapi === "string", "an OpenAPI document");
  must(Object.keys(document.paths ?? {}).length > 5, "paths in the OpenAPI document");
  for (const path of ["/", "/api/v1/docs"]) await loadsFromHere(url, path);
  const settings = await fetchText(`${url}/docs/settings.html`);
  must(settings.includes('<tr id="http.listen">'), "the page of settings in the documentation");
  must((await fetchText(`${url}/docs/search.json`)).includes("http.listen"), "an index of it");
}

/** A page and all that it names. */
async function loadsFromHere(url: string, path: string): Promise<void> {
  const page = await fetchText(`${url}${path}`);
  const references = [...page.matchAll(/\b(?:src|href)\s*=\s*["']([^"']+)["']/g)].map(
    ([, reference]) => reference ?? "",
  );
  must(references.length > 0, "a page that loads something");
  for (const reference of references) {
    if (reference.startsWith("data:")) continue;
    const target = new URL(reference, `${url}${path}`);
    must(target.origin === url, `only local addresses on the page, not ${reference}`);
    await fetchText(target.href);
  }
}

async function printsReceipts(scene: Scene, { url }: Gateway): Promise<void> {
  const shop = await registerShop(url);
  await printsOneReceipt(scene, shop, "tcp");
  await printsOneReceipt(scene, shop, "serial");
}

async function printsOneReceipt(
  scene: Scene,
  { owner, till, key }: Shop,
  transport: "tcp" | "serial",
): Promise<void> {
  const state = join(scene.folder, `printer-${transport}`);
  const serialPort = join(scene.folder, "port");
  const place = transport === "tcp" ? ["--listen", "127.0.0.1:0"] : ["--pty", serialPort];
  const printer = ["--driver", DRIVER, "--state", state, "--control", "127.0.0.1:0"];
  const simulator = launch(scene, "simulate", ...printer, ...place);
  const ready = await simulator.line("simulating");
  const port = () => Number(textOf(ready, "listen").split(":").at(-1));
  const deviceId = await registerDevice(
    owner,
    transport === "tcp"
      ? { driver: DRIVER, host: "127.0.0.1", port: port() }
      : { driver: DRIVER, serialPort },
  );
  const client = createClient({ url: till.url, apiKey: key });
  const printed = await client.print({
    ...{ key: `sale-${transport}`, deviceId, type: "print_receipt" },
    payload: {
      items: [{ name: "Coffee", quantity: 2, price: 1.5, vatGroup: "VAT2" }],
      payments: [{ method: "cash", amount: 3 }],
      uniqueSaleNumber: "DT000000-0001-0000001",
    },
  });
  must(printed.outcome === "printed", `a printed receipt, not ${JSON.stringify(printed)}`);
  const shown: { receipts: readonly { total: number }[] } = JSON.parse(
    await fetchText(`${textOf(ready, "control")}/books`),
  );
  const totals = shown.receipts.map(({ total }) => total);
  must(totals.length === 1 && totals[0] === 300, `one receipt of 3.00 in the books, not ${totals}`);
  // Its QR code is drawn with a library that is loaded only then.
  const paper = await fetchText(`${textOf(ready, "control")}/paper.svg`);
  must(paper.includes("data:image/png;base64,"), "a picture of the receipt with its QR code");
  must((await simulator.stop()) === 0, "the simulator to end with 0");
}

async function guardsStateAndAddress(scene: Scene, gateway: Gateway): Promise<void> {
  const second = await run(scene, "serve", "--http-listen", "127.0.0.1:0");
  must(second.code === 3, `exit 3 beside a running gateway, not ${second.code}`);
  must(second.err.includes(`process ${gateway.process.pid}`), `its process id in: ${second.err}`);
  const { host } = new URL(gateway.url);
  const other = join(scene.folder, "other");
  const third = await run(scene, "serve", "--state-dir", other, "--http-listen", host);
  must(third.code === 4, `exit 4 on an address in use, not ${third.code}`);
  must(!existsSync(other), "no state directory made for an address in use");
}

async function endsAndStartsAgain(scene: Scene, gateway: Gateway): Promise<void> {
  must((await gateway.process.stop()) === 0, "exit 0 when asked to stop");
  const again = await startGateway(scene);
  must((await again.process.stop()) === 0, "exit 0 after a second start");
}

async function smoke(scene: Scene): Promise<void> {
  await tellsAboutItself(scene);
  const gateway = await startGateway(scene);
  await answersWithoutNetwork(gateway);
  await printsReceipts(scene, gateway);
  await guardsStateAndAddress(scene, gateway);
  await endsAndStartsAgain(scene, gateway);
}

const place = mkdtempSync(join(tmpdir(), "fiscald-smoke-"));
const scene: Scene = {
  executable: join(place, "fiscald"),
  folder: join(place, "empty"),
  running: [],
};
try {
  mkdirSync(scene.folder);
  copyFileSync(EXECUTABLE, scene.executable);
  process.chdir(scene.folder);
  await smoke(scene);
  console.log("the executable works by itself");
} catch (error) {
  for (const started of scene.running) console.error(started.output());
  throw error;
} finally {
  for (const started of scene.running) await started.kill();
  process.chdir("/");
  rmSync(place, { recursive: true, force: true });
}
