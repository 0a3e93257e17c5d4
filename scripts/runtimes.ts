/**
 * Installs what the examples in PHP and C# run on, the browser that the portal is tried in and what
 * makes it trust the box, what verifies a release and a journal, an authority that speaks ACME, what
 * watches processes for the power cuts, and what lines for another user begin with: a step of the gate.
 *
 * Only what is missing, and only for root on a system with apt-get: elsewhere, or where it cannot be
 * installed, their tests say that they were not tried. .NET takes the place of Mono where it is.
 */

import { NOT_TRIED } from "../src/e2e/harness/other-runtime.ts";
import { runToEnd } from "../src/e2e/harness/run-to-end.ts";
import { findBrowser, SHELL } from "../src/portal/journeys/browser-place.ts";

/** Mono's smallest set with a compiler, HTTP and JSON: 27 MB. PHP has 16 MB. */
const MONO = [
  "mono-mcs",
  "libmono-system-net-http4.0-cil",
  "libmono-system-runtime-serialization4.0-cil",
  "libmono-system-xml-linq4.0-cil",
];

/** It waits for another apt-get, and for a mirror that does not answer, but not for long. */
const APT_OPTIONS = [
  ...["-o", "DPkg::Lock::Timeout=120", "-o", "Dpkg::Use-Pty=0"],
  ...["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20"],
];

const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" } as Record<string, string>;

async function isInstalled(name: string): Promise<boolean> {
  const query = ["dpkg-query", "--show", "--showformat", "$" + "{db:Status-Status}", name];
  return (await runToEnd(query, { env })).out === "installed";
}

/** Sets of packages: the first that can be had will do, and nothing where the last is empty. */
type Choice = readonly (readonly string[])[];

/** What is missing: choices, each of use by itself. */
async function missing(): Promise<Choice[]> {
  const unless = (program: string, name = program): string[] =>
    Bun.which(program) === null ? [name] : [];
  const mono: string[] = [];
  for (const name of Bun.which("dotnet") === null ? MONO : []) {
    if (!(await isInstalled(name))) mono.push(name);
  }
  // Any other shows the same, and takes longer.
  const other = findBrowser() === undefined ? ["chromium"] : [];
  const browser = Bun.which(SHELL) === null ? [[[SHELL], other]] : [];
  const programs = [
    unless("php", "php-cli"),
    unless("minisign"),
    unless("pebble"),
    unless("strace"),
    unless("sudo"),
    unless("certutil", "libnss3-tools"),
    unless("xmllint", "libxml2-utils"),
  ];
  const sets = [...programs, mono].filter((names) => names.length > 0);
  return [...sets.map((names) => [names]), ...browser];
}

/** Runs it to its end. @returns why it failed, undefined when it did not */
async function aptGet(...args: readonly string[]): Promise<string | undefined> {
  const command = ["apt-get", "--quiet", "--yes", ...APT_OPTIONS, ...args];
  const { code, out, err } = await runToEnd(command, { env });
  if (code === 0) return undefined;
  return `${err}${out}`.match(/^E: .*$/m)?.[0] ?? `it ended with ${code}`;
}

/** Installs the first of a choice that can be had, and says why where none can. */
async function installOne(choice: Choice): Promise<void> {
  let failure = "";
  for (const names of choice) {
    if (names.length === 0) return;
    const reason = await aptGet("install", "--no-install-recommends", ...names);
    if (reason === undefined) return;
    failure = `what needs ${names.join(" ")}, because apt-get says ${reason}`;
  }
  console.log(`${NOT_TRIED}${failure}`);
}

const canInstall = process.getuid?.() === 0 && Bun.which("apt-get") && Bun.which("dpkg-query");
const choices = canInstall ? await missing() : [];
// Without the newest lists, those that are there may do.
if (choices.length > 0) await aptGet("update");
for (const choice of choices) await installOne(choice);
