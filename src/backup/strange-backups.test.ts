/** What `fiscald restore` makes of files that fiscald has not made as they are. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { executable } from "../e2e/harness/program.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { encrypt } from "./age-stream.ts";
import { filesFolder, openBackup } from "./open-backup.ts";
import { packTar } from "./tar.ts";

const PASSPHRASE = "a passphrase for tests";
const GIGABYTE = 1_073_741_824;
const MEMORY_MAX = 512 * 1_048_576;

let program: string;
let folder: string;
/** A backup that is as it should be, unpacked. */
let parts: Map<string, Buffer>;

beforeAll(async () => {
  program = await executable();
  folder = mkdtempSync(join(tmpdir(), "fiscald-strange-"));
  const [stateDir, file] = [join(folder, "old"), join(folder, "passphrase")];
  writeFileSync(file, `${PASSPHRASE}\n`);
  const migrated = await runToEnd([program, "migrate", "--state-dir", stateDir]);
  expect(migrated.code).toBe(0);
  const made = await runToEnd([
    ...[program, "backup", "--state-dir", stateDir, "--backup-passphrase-file", file],
    ...["--backup-work-factor", "10"],
  ]);
  const unpacked = join(folder, "unpacked");
  await openBackup(made.out.trim(), PASSPHRASE, unpacked);
  const settings = readFileSync(join(filesFolder(unpacked), "fiscald.toml"));
  parts = new Map([
    ["manifest.json", readFileSync(join(unpacked, "manifest.json"))],
    ["files/fiscald.toml", settings],
    ["fiscald.db", readFileSync(join(unpacked, "fiscald.db"))],
  ]);
});
afterAll(() => rmSync(folder, { recursive: true }));

type Part = readonly [name: string, content: string | Buffer];

/** Packs what a backup would hold, and these parts besides or in their place. */
async function forged(name: string, more: readonly Part[]): Promise<string> {
  const names = more.map(([at]) => at);
  const all = [
    ...[...parts].filter(([at]) => !names.includes(at)),
    ...more.map(([at, content]) => [at, Buffer.from(content)] as const),
  ];
  const entries = all.map(([at, bytes]) => ({
    name: at,
    size: bytes.length,
    content: [bytes],
  }));
  const packed: Uint8Array[] = [];
  for await (const part of packTar(entries, 0)) packed.push(part);
  async function* plain() {
    yield gzipSync(Buffer.concat(packed));
  }
  const sealed: Uint8Array[] = [];
  for await (const part of await encrypt(plain(), { passphrase: PASSPHRASE, workFactor: 10 }))
    sealed.push(part);
  const file = join(folder, `${name}.tar.gz.age`);
  writeFileSync(file, Buffer.concat(sealed));
  return file;
}

/** Restores into a fresh state directory, which is looked at. */
async function restore(file: string) {
  const stateDir = mkdtempSync(join(folder, "state-"));
  const child = Bun.spawn(
    [program, "restore", file, "--passphrase-stdin", "--state-dir", stateDir],
    { env: {}, stdin: Buffer.from(`${PASSPHRASE}\n`), stdout: "ignore", stderr: "pipe" },
  );
  const err = await new Response(child.stderr).text();
  const code = await child.exited;
  return { code, err, bytes: child.resourceUsage()?.maxRSS ?? 0, stateDir };
}

describe("what is no file is refused", () => {
  test.each([
    ["a folder", "/"],
    ["a device without an end", "/dev/zero"],
  ])("%s", async (_, path) => {
    const { code, err } = await restore(path);
    expect([code, err]).toEqual([2, expect.stringContaining(`${path} is a folder or a device`)]);
  });
});

describe("a huge file that is no backup is not read to its end", () => {
  test.each([
    ["of zeros", ""],
    ["with the first line of one", "age-encryption.org/v1\n-> scrypt "],
  ])("%s", async (name, start) => {
    const file = join(folder, `huge ${name}`);
    writeFileSync(file, start);
    // The system counts what the test has in memory as its child's too.
    const { bytes: least } = await restore(file);
    truncateSync(file, 2 * GIGABYTE);
    const { code, err, bytes } = await restore(file);
    expect([code, err]).toEqual([2, expect.stringContaining("it is no backup of fiscald")]);
    expect(bytes).toBeLessThan(least + MEMORY_MAX);
    rmSync(file);
  });
});

describe("parts that no backup holds are refused", () => {
  test.each([
    "files/evil",
    "files/tls/more/ca.pem",
    "files/drivers/../../evil",
    "files/fiscald.passphrase",
    "files/fiscald.db",
    "files/backups/older",
  ])("%s", async (name) => {
    const { code, err, stateDir } = await restore(await forged("foreign", [[name, "x"]]));
    expect([code, err]).toEqual([2, expect.stringContaining(`a backup holds no ${name}`)]);
    expect(readdirSync(stateDir)).toEqual([]);
  });

  test.each([
    ["of a name with more behind a zero", [["files/tls/x\0y", "x"]], "more stands behind the name"],
    ["that are there twice", Array(2).fill(["files/tls/x", "x"]), "holds files/tls/x twice"],
  ] as const)("%s", async (_, more, told) => {
    const { code, err, stateDir } = await restore(await forged("foreign", more));
    expect([code, err]).toEqual([2, expect.stringContaining(told)]);
    expect(readdirSync(stateDir)).toEqual([]);
  });
});

test("a file of a folder that a backup takes along is put back", async () => {
  const { code, stateDir } = await restore(
    await forged("profiles", [["files/drivers/own.json", "{}"]]),
  );
  expect([code, existsSync(join(stateDir, "drivers/own.json"))]).toEqual([1, true]);
});

test("a manifest of another schema than the database's is refused", async () => {
  const manifest = { ...JSON.parse(String(parts.get("manifest.json"))), schema: "9999_future" };
  const file = await forged("future", [["manifest.json", JSON.stringify(manifest)]]);
  const { code, err, stateDir } = await restore(file);
  expect([code, err]).toEqual([2, expect.stringContaining("not 9999_future")]);
  expect(readdirSync(stateDir)).toEqual([]);
});
