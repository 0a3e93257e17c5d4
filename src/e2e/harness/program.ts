/** Running the product as a process of its own, as an operator would. */

import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { build } from "../../../scripts/build.ts";
import { type OwnProcess, startOwnProcess, textOf } from "./own-process.ts";

const ROOT = join(import.meta.dir, "../../..");
/** A folder for each program and state of the source, named after both. */
const BUILDS = join(ROOT, "dist", "e2e");
/** What the executable is made of. */
const SOURCES = ["src", "drivers", "db", "docs", "scripts/handbook"] as const;
const RECIPE = [
  ...(["package.json", "bun.lock", "tsconfig.json"] as const),
  ...(["scripts/build.ts", "scripts/handbook.ts", "scripts/portal.ts"] as const),
  "scripts/web-files.ts",
];
/** Nobody has used a build for so long that nobody is using it now. */
const KEPT_MS = 3_600_000;

/** What is built, by the name of its executable, and its entry where that is not the product's. */
const PROGRAMS = { fiscald: undefined, printer: "src/e2e/harness/printer.ts" } as const;
type ProgramName = keyof typeof PROGRAMS;

const built = new Map<ProgramName, Promise<string>>();

/**
 * Path of the executable, built from the source as it is now. Test files run in several processes
 * at once and share it: whoever comes first builds it, and puts it in its place as a whole.
 */
export function executable(): Promise<string> {
  return builtOnce("fiscald");
}

/** The same for the simulated printer alone: it starts in a third of the time. */
export function printerExecutable(): Promise<string> {
  return builtOnce("printer");
}

function builtOnce(name: ProgramName): Promise<string> {
  const found = built.get(name) ?? buildUnlessThere(name);
  built.set(name, found);
  return found;
}

async function buildUnlessThere(name: ProgramName): Promise<string> {
  const place = join(BUILDS, `${name}-${sourceDigest()}`);
  const program = join(place, name);
  if (!existsSync(program)) {
    const own = `${place}.${process.pid}`;
    const entry = PROGRAMS[name];
    await build({ outfile: join(own, name), ...(entry === undefined ? {} : { entry }) });
    putInPlace(own, place);
    discardOthers();
  }
  const now = new Date();
  utimesSync(place, now, now);
  return program;
}

function putInPlace(own: string, place: string): void {
  try {
    renameSync(own, place);
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    // Another process was faster with the same.
    if (!existsSync(place)) throw error;
  }
}

function discardOthers(): void {
  for (const name of readdirSync(BUILDS)) {
    const path = join(BUILDS, name);
    const usedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - usedAt > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** The same for the same source, recipe and runtime. */
function sourceDigest(): string {
  const sources = SOURCES.flatMap((folder) => [
    ...new Bun.Glob(`${folder}/**/*`).scanSync({ cwd: ROOT }),
  ]);
  const hasher = new Bun.CryptoHasher("sha256").update(Bun.version);
  for (const path of [...sources.sort(), ...RECIPE]) {
    if (path.endsWith(".test.ts")) continue;
    hasher.update(`\0${path}\0`).update(readFileSync(join(ROOT, path)));
  }
  return hasher.digest("hex").slice(0, 32);
}

/** A running process that said it is ready. */
export interface Running extends Omit<OwnProcess, "line"> {
  /** What it said when it was ready. */
  readonly ready: Readonly<Record<string, unknown>>;
}

/** How the product is started. */
export interface StartOptions {
  /** Path of the executable; one built from the source unless given. */
  readonly program?: string | Promise<string> | undefined;
  /** Its environment, but for what `startOwnProcess` adds; empty unless given. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts the product and waits for the JSON line that says it is ready.
 * @param readyMessage the `msg` of that line
 * @throws Error with its output when it ends first
 */
export async function startProduct(
  args: readonly string[],
  readyMessage: string,
  { program = executable(), env }: StartOptions = {},
): Promise<Running> {
  const started = startOwnProcess([await program, ...args], env);
  try {
    return { ...started, ready: await started.line(readyMessage) };
  } catch (error) {
    await started.kill();
    throw error;
  }
}

/** Text of a field of a ready line. @throws Error when it is not there */
export function readyText({ ready }: Running, field: string): string {
  return textOf(ready, field);
}
