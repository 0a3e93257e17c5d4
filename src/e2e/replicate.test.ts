/** The live copy of the database elsewhere: Litestream with the settings that install.sh writes. */

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { uncopied } from "../backup/replica.ts";
import { stateFiles } from "../config/state-files.ts";
import { boxForEachTest } from "./harness/box-for-each-test.ts";
import { ApiClient, registerShop } from "./harness/gateway.ts";
import { NOT_TRIED } from "./harness/other-runtime.ts";
import { type OwnProcess, startOwnProcess, textOf } from "./harness/own-process.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { until } from "./harness/until.ts";

const ROOT = join(import.meta.dir, "../..");
const COMMANDS = 150;

const PLACE = "/mnt/other-disk/fiscald";

/** Version 0.3.13, for tests alone: a shop takes its own. */
const LITESTREAM = join(ROOT, "node_modules/@flydotio/litestream-linux-x64/litestream");
const isThere = process.arch === "x64" && existsSync(LITESTREAM);
if (!isThere) process.stderr.write(`${NOT_TRIED}replication, because Litestream is not here\n`);

const box = boxForEachTest();

const serve = async (stateDir: string): Promise<OwnProcess> =>
  box.keep(
    startOwnProcess([
      ...[box.program, "serve", "--state-dir", stateDir, "--http-listen=127.0.0.1:0"],
      ...["--http-drain-seconds=0", "--limits-global-max=10000", "--limits-commands-max=10000"],
    ]),
  );

/** A folder that stands for a machine with a gateway, on which other-disk is the one that all machines here have. */
class Machine {
  readonly root: string;
  readonly stateDir: string;

  constructor(name: string) {
    this.root = join(box.folder, name);
    this.stateDir = join(this.root, "var/lib/fiscald");
    mkdirSync(join(this.root, "mnt"), { recursive: true });
    mkdirSync(join(box.folder, "other-disk"), { recursive: true });
    symlinkSync(join(box.folder, "other-disk"), join(this.root, "mnt/other-disk"));
    cpSync(join(ROOT, "systemd"), this.#unpacked, { recursive: true });
    const program = join(this.#unpacked, "fiscald");
    writeFileSync(program, '#!/bin/sh\necho "fiscald 1.0.0"\n');
    chmodSync(program, 0o755);
  }

  /** A machine on which the installer ran. */
  static async made(name: string): Promise<Machine> {
    const machine = new Machine(name);
    expect(await machine.install()).toEqual([0, ""]);
    return machine;
  }

  /** @returns exit code and what went wrong */
  async install(...args: readonly string[]): Promise<[number, string]> {
    const { code, err } = await runToEnd(
      ["sh", join(this.#unpacked, "install.sh"), "--root", this.root, ...args],
      { env: { PATH: `/usr/sbin:/usr/bin:/sbin:/bin:${dirname(LITESTREAM)}` } },
    );
    return [code, err];
  }

  /** The file of settings for Litestream, with its paths in this folder. */
  config(): string {
    const config = join(box.folder, "litestream.yml");
    const text = readFileSync(join(this.root, "etc/fiscald/litestream.yml"), "utf8");
    writeFileSync(
      config,
      text
        .replace("/var/lib/fiscald/fiscald.db", join(this.stateDir, "fiscald.db"))
        .replace("/mnt/other-disk", join(this.root, "mnt/other-disk")),
    );
    return config;
  }

  get #unpacked(): string {
    return `${this.root}-unpacked`;
  }
}

/** Runs gateway and Litestream until a copy lies at the place, with `work` in between. */
async function copied<T>(machine: Machine, work: (url: string) => Promise<T>): Promise<T> {
  // As the units have it: it waits for a database that is not there yet.
  const command = [LITESTREAM, "replicate", "-config", machine.config()];
  const copying = box.keep(startOwnProcess(command));
  const gateway = await serve(machine.stateDir);
  const url = textOf(await gateway.line("listening"), "url");
  await until("a copy", () => copying.output().includes("snapshot written") || undefined);
  const result = await work(url);
  expect(await gateway.stop()).toBe(0);
  // The gateway stops first: its last words are copied too. (0.3.13 may end with 1 after that.)
  await copying.stop();
  expect(copying.output()).toContain("litestream shut down");
  return result;
}

/** The folder of what Litestream has read. */
function partsOf({ stateDir }: Machine): string {
  const { replicaParts } = stateFiles(stateDir);
  const generation = readFileSync(join(replicaParts, "generation"), "utf8").trim();
  return join(replicaParts, "generations", generation, "wal");
}

/** What S3 answers to whoever lists a folder. */
const listing = (folders: readonly string[]): string =>
  `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${folders
    .map((folder) => `<CommonPrefixes><Prefix>${folder}</Prefix></CommonPrefixes>`)
    .join("")}</ListBucketResult>`;

describe.if(isThere)("a database that is copied elsewhere", () => {
  test("comes back with all that was answered, after the machine and its disk are gone", async () => {
    const machine = await Machine.made("machine");
    expect(await machine.install("--replicate", PLACE)).toEqual([0, ""]);
    const shop = await copied(machine, async (url) => {
      const registered = await registerShop(url);
      const device = await registered.owner.expect<{ id: string }>("POST", "/devices", {
        ...{ name: "P", driver: "vendorA.isl", transport: "bluetooth", locationId: "shop" },
        ...{ connectionParams: { address: "AA:BB:CC:DD:EE:FF" }, managedBy: "remote" },
      });
      for (let n = 0; n < COMMANDS; n += 1) await registered.till.submit(device.id, "get_status");
      return registered;
    });
    rmSync(machine.root, { recursive: true });

    const copy = join(box.folder, "copy.db");
    const place = `file://${join(box.folder, "other-disk/fiscald")}`;
    const generations = await runToEnd([LITESTREAM, "generations", place]);
    const [generation = ""] = /[0-9a-f]{16}/.exec(generations.out) ?? [];
    const brought = await runToEnd([
      ...[LITESTREAM, "restore", "-generation", generation, "-o", copy, place],
    ]);
    expect(brought.code).toBe(0);
    const other = join(box.folder, "other");
    const restored = await runToEnd([...[box.program, "restore", copy, "--state-dir", other]]);
    expect(restored.out).toContain(`${COMMANDS} commands, 0 receipts`);
    expect(restored.code).toBe(1);

    const again = await serve(other);
    const client = new ApiClient(textOf(await again.line("listening"), "url"));
    const { accessToken } = await client.expect<{ accessToken: string }>("POST", "/auth/login", {
      ...{ email: shop.email, password: shop.password },
    });
    const found = await new ApiClient(client.url, accessToken).list();
    expect(found.filter(({ type }) => type === "get_status")).toHaveLength(COMMANDS);
  });

  test("is one of the state directory's own files, which no backup takes", async () => {
    const machine = await Machine.made("machine");
    await machine.install("--replicate", PLACE);
    await copied(machine, async () => {
      expect(existsSync(join(machine.stateDir, ".fiscald.db-litestream"))).toBe(true);
    });
    const passphrase = join(box.folder, "passphrase");
    writeFileSync(passphrase, "a long passphrase\n");
    const { code, out } = await runToEnd([
      ...[box.program, "backup", "--state-dir", machine.stateDir, "--to", box.folder],
      ...["--backup-passphrase-file", passphrase, "--backup-work-factor", "10"],
    ]);
    expect(code).toBe(0);
    const again = await serve(machine.stateDir);
    await again.line("listening");
    expect(again.output()).not.toContain("it also holds");
    await again.stop();
    expect(out).toContain(".tar.gz.age");
    // Nor does one take what says that the place is this state directory's.
    const other = join(box.folder, "other");
    const words = ["--state-dir", other, "--backup-passphrase-file", passphrase];
    await runToEnd([box.program, "restore", out.trim(), ...words]);
    expect(readdirSync(other)).toContain("fiscald.db");
    expect(readdirSync(other)).not.toContain("fiscald.replica");
  });

  test("is never pushed out by that of another machine", async () => {
    const former = await Machine.made("former");
    await former.install("--replicate", PLACE);
    await copied(former, registerShop);
    expect(await former.install("--replicate", PLACE)).toEqual([0, ""]);

    const next = await Machine.made("next");
    const [code, err] = await next.install("--replicate", PLACE);
    expect([code, err]).toEqual([1, expect.stringContaining("holds the copy of another database")]);
    expect(readdirSync(join(next.root, "etc/systemd/system"))).toEqual(["fiscald.service"]);
    expect(readdirSync(join(next.root, "etc/fiscald"))).toEqual(["replicate.env"]);
    // Nor by one that begins anew on the same machine.
    rmSync(former.stateDir, { recursive: true });
    mkdirSync(former.stateDir);
    expect((await former.install("--replicate", PLACE))[0]).toBe(1);

    expect(await next.install("--replicate", `${PLACE}-2`)).toEqual([0, ""]);
    await copied(next, registerShop);
    // What tells whose copies they are may be gone, or be what Litestream has kept of them.
    for (const own of ["fiscald.replica", ".fiscald.db-litestream"]) {
      cpSync(join(next.stateDir, own), join(box.folder, own), { recursive: true });
      rmSync(join(next.stateDir, own), { recursive: true });
      expect(await next.install("--replicate", `${PLACE}-2`)).toEqual([0, ""]);
      cpSync(join(box.folder, own), join(next.stateDir, own), { recursive: true });
    }
    await next.install("--replicate", "off");
    rmSync(join(next.stateDir, ".fiscald.db-litestream"), { recursive: true });
    expect((await next.install("--replicate", `${PLACE}-2`))[0]).toBe(1);
  });

  test("is seen to stand still where its place takes nothing, and to go on", async () => {
    const machine = await Machine.made("machine");
    await machine.install("--replicate", PLACE);
    const database = new Database(join(machine.stateDir, "fiscald.db"), { create: true });
    for (const pragma of ["journal_mode = WAL", "busy_timeout = 10000"]) {
      database.run(`PRAGMA ${pragma}`);
    }
    database.run("CREATE TABLE sales (text)");
    // So much that it makes a part of its own of it.
    const sell = database.prepare("INSERT INTO sales VALUES (zeroblob(5000000))");
    const place = join(box.folder, "other-disk/fiscald");
    const replicate = () =>
      box.keep(startOwnProcess([LITESTREAM, "replicate", "-config", machine.config()]));
    const sold = async (what: string, isThere: () => boolean): Promise<void> => {
      await until(what, () => {
        sell.run();
        return isThere() || undefined;
      });
    };
    try {
      const copying = replicate();
      await until("a copy", () => copying.output().includes("wal segment written") || undefined);
      expect(uncopied(machine.stateDir)).toBeUndefined();
      renameSync(place, `${place}-away`);
      writeFileSync(place, "");
      await sold("parts that wait", () => uncopied(machine.stateDir) !== undefined);
      const { mark = "none" } = uncopied(machine.stateDir) ?? {};
      const waiting = readdirSync(partsOf(machine)).length;
      await sold("one more", () => readdirSync(partsOf(machine)).length > waiting);
      expect(uncopied(machine.stateDir)?.mark).toBe(mark);
      await copying.kill();
      rmSync(place);
      renameSync(`${place}-away`, place);
      replicate();
      await sold("all to be copied", () => uncopied(machine.stateDir)?.mark !== mark);
    } finally {
      database.close();
    }
  });

  test("is looked for in a store too, with its keys", async () => {
    let held = ["generations/0123456789abcdef/"];
    const asked: string[] = [];
    using store = Bun.serve({
      ...{ hostname: "127.0.0.1", port: 0 },
      fetch: (request) => {
        const { pathname, searchParams } = new URL(request.url);
        const by = /Credential=([^/]*)/.exec(request.headers.get("authorization") ?? "")?.[1];
        asked.push(`${by} ${pathname} ${searchParams.get("prefix")}`);
        return new Response(listing(held.map((name) => `fiscald/${name}`)));
      },
    });
    const place = `s3://shop.localhost:${store.port}/fiscald`;
    const machine = await Machine.made("machine");
    const [unasked, why] = await machine.install("--replicate", place);
    expect([unasked, why]).toEqual([1, expect.stringContaining("etc/fiscald/replicate.env")]);
    expect(asked).toEqual([]);
    const keys =
      "# Of the shop\nLITESTREAM_ACCESS_KEY_ID='shop 1'\nLITESTREAM_SECRET_ACCESS_KEY=a$b";
    writeFileSync(join(machine.root, "etc/fiscald/replicate.env"), keys);
    const [code, err] = await machine.install("--replicate", place);
    expect(asked[0]).toBe("shop 1 /shop fiscald/generations/");
    expect([code, err]).toEqual([1, expect.stringContaining("holds the copy of another database")]);
    held = [];
    expect(await machine.install("--replicate", place)).toEqual([0, ""]);
    expect(readdirSync(join(machine.root, "etc/fiscald")).sort()).toEqual([
      ...["litestream.yml", "replicate.env"],
    ]);
  });
});
