/** Where snippets run: one gateway with a simulated printer for all pages, and a folder for the rest. */

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executable } from "../../src/e2e/harness/program.ts";
import { World } from "../../src/e2e/harness/world.ts";
import { ROOT } from "./sources.ts";

/** What came of a script: all that it wrote, in order. */
export interface Ran {
  readonly output: string;
  readonly code: number;
}

/** A script that has not ended by then will not. */
const DEADLINE_MS = 60_000;
const SERVICE_STATE = "/var/lib/fiscald";
const ADDRESS = /\b(127\.0\.0\.1|localhost):(\d{4,5})\b/g;
/** What pages write for what a reader has. */
const PLACEHOLDERS = { svc_live: "key", dev: "device" } as const;

export class SnippetShop {
  readonly #world: World;
  readonly #folder = mkdtempSync(join(tmpdir(), "fiscald-snippets-"));
  readonly #environment: Readonly<Record<string, string>>;

  private constructor(world: World, program: string) {
    this.#world = world;
    const programs = join(this.#folder, "programs");
    mkdirSync(programs);
    symlinkSync(program, join(programs, "fiscald"));
    // As whoever runs the tests, who may not become somebody else.
    writeFileSync(join(programs, "sudo"), '#!/bin/sh\n[ "$1" = -u ] && shift 2\nexec "$@"\n', {
      mode: 0o755,
    });
    const passphrase = join(this.#folder, "passphrase");
    writeFileSync(passphrase, "a long passphrase\n", { mode: 0o600 });
    const { url } = world.gateway;
    const key = world.till.credential ?? "";
    this.#environment = {
      PATH: `${programs}:${process.env.PATH}`,
      HOME: this.#folder,
      FISCALD_STATE_DIR: join(world.folder, "state"),
      // A passphrase costs a second and a quarter of a gigabyte otherwise.
      FISCALD_BACKUP_WORK_FACTOR: "10",
      FISCALD_BACKUP_PASSPHRASE_FILE: passphrase,
      ...{ api: `${url}/api/v1`, GATEWAY: url, key, KEY: key, device: world.deviceId },
      ...{ token: world.ownerToken, LOGIN: world.ownerToken },
      ...{ FISCALD_URL: url, FISCALD_KEY: key, FISCALD_DEVICE: world.deviceId },
    };
  }

  static async open(): Promise<SnippetShop> {
    const [world, program] = await Promise.all([World.open(), executable()]);
    return new SnippetShop(world, program);
  }

  async close(): Promise<void> {
    await this.#world.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Runs a script at the gateway that all pages share. */
  runAtBox(script: string): Promise<Ran> {
    const { FISCALD_STATE_DIR = "" } = this.#environment;
    return this.#run(this.#filled(script).replaceAll(SERVICE_STATE, FISCALD_STATE_DIR), {
      ...{ cwd: this.#newFolder("box"), env: this.#environment },
    });
  }

  /** Runs a script by itself: ports of its text become free ones, so that two may run at once. */
  async runAlone(script: string): Promise<Ran> {
    const cwd = this.#newFolder("alone");
    const { PATH = "", HOME = "" } = this.#environment;
    return this.#run(await withFreePorts(script), { cwd, env: { PATH, HOME } });
  }

  /** Runs a program of the pages in TypeScript at the gateway that all pages share. */
  async runModule(text: string): Promise<Ran> {
    const client = join(ROOT, "src/client/index.ts");
    const program = this.#filled(text)
      .replaceAll('"fiscald-client"', JSON.stringify(client))
      .replace(/http:\/\/192\.168\.\d+\.\d+:8080/g, this.#world.gateway.url);
    const cwd = this.#newFolder("module");
    writeFileSync(join(cwd, "snippet.ts"), program);
    const script = `exec ${JSON.stringify(process.execPath)} snippet.ts`;
    return this.#run(script, { cwd, env: this.#environment });
  }

  /** With key and device in place of those that a page shows. */
  #filled(text: string): string {
    return text.replace(/\b(svc_live|dev)_(?:\.\.\.|[0-9A-Z]{26})/g, (_, kind: string) => {
      const name = Object.entries(PLACEHOLDERS).find(([prefix]) => prefix === kind)?.[1];
      return this.#environment[name ?? ""] ?? "";
    });
  }

  /** As a reader's clone: the built executable, and the documents; and as a folder of that alone. */
  #newFolder(kind: string): string {
    const folder = mkdtempSync(join(this.#folder, `${kind}-`));
    mkdirSync(join(folder, "dist"));
    for (const place of ["dist/fiscald", "fiscald"]) {
      symlinkSync(join(this.#folder, "programs", "fiscald"), join(folder, place));
    }
    symlinkSync(join(ROOT, "docs"), join(folder, "docs"));
    return folder;
  }

  async #run(
    script: string,
    { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  ): Promise<Ran> {
    // What a script leaves running ends with it.
    const whole = `set -m\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n${script}`;
    const child = Bun.spawn(["bash", "-eo", "pipefail", "-c", `exec 2>&1\n${whole}`], {
      ...{ cwd, env: { ...env }, stdin: "ignore", stdout: "pipe" },
      ...{ timeout: DEADLINE_MS, killSignal: "SIGTERM" },
    });
    const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    return { output, code };
  }
}

/** The text with each port of this machine replaced by a free one. */
async function withFreePorts(text: string): Promise<string> {
  const ports = [...new Set([...text.matchAll(ADDRESS)].map(([, , port = ""]) => port))];
  const free = new Map(
    await Promise.all(ports.map(async (port) => [port, await freePort()] as const)),
  );
  return text.replace(ADDRESS, (_, host: string, port: string) => `${host}:${free.get(port)}`);
}

/** One that nobody listened at a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}
