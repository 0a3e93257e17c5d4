/** What a release consists of, made of parts that are small: the whole is for `--prove`. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasPrograms } from "#src/e2e/harness/other-runtime.ts";
import { runToEnd } from "#src/e2e/harness/run-to-end.ts";
import { readPublicKey, SignatureFault, verifyFile } from "#src/platform/minisign.ts";
import { rejection } from "#src/platform/testing/rejection.ts";
import { dependencies } from "../../package.json";
import { packArchive } from "../archive.ts";
import { packagesNamed } from "../bundled-packages.ts";
import { type Packing, RUNTIMES, releaseName, sumsOf } from "./contents.ts";
import { packDeb } from "./deb.ts";
import { digestsIn, inventory } from "./sbom.ts";
import { publicKeyText, readSecretKey, signFile } from "./sign.ts";

const ROOT = join(import.meta.dir, "../..");
const PATH = "/usr/sbin:/usr/bin:/sbin:/bin";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-release-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const packing: Packing = {
  ...{ version: "9.8.7", architecture: "arm64", commit: "c".repeat(40), epoch: 1_700_000_000 },
  ...{ runtime: "", publicKey: undefined },
};

/** A secret key as `minisign -G -W` writes it: not encrypted. */
function makeKey(name: string): string {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const [seed, key] = [d, x].map((text) => Buffer.from(text, "base64url"));
  const id = crypto.getRandomValues(Buffer.alloc(8));
  const parts = [Buffer.from("Ed\0\0B2"), Buffer.alloc(48), id, seed, key, Buffer.alloc(32)];
  const path = join(folder, name);
  const line = Buffer.concat(parts as Uint8Array[]).toString("base64");
  writeFileSync(path, `untrusted comment: minisign secret key\n${line}\n`);
  return path;
}

/** A folder as it is filled for a release, with a script as the executable. */
function fill(place: string, at: number): string {
  const staging = join(folder, place, releaseName(packing));
  mkdirSync(join(staging, "doc"), { recursive: true });
  for (const name of readdirSync(join(ROOT, "systemd"))) {
    copyFileSync(join(ROOT, "systemd", name), join(staging, name));
  }
  writeFileSync(join(staging, "fiscald"), "#!/bin/sh\necho fiscald 9.8.7\n", { mode: 0o755 });
  writeFileSync(join(staging, "LICENSES.txt"), "licences");
  writeFileSync(join(staging, "doc/README.md"), "words", { mode: 0o600 });
  for (const name of readdirSync(staging)) utimesSync(join(staging, name), at, at);
  return staging;
}

describe("a signature", () => {
  test("is verified by minisign, and by what checks an update", async () => {
    const secret = readSecretKey(makeKey("key"));
    const [file, publicKey] = [join(folder, "file"), join(folder, "release.pub")];
    writeFileSync(file, "what is released");
    writeFileSync(publicKey, publicKeyText(secret));
    const signature = readFileSync(await signFile(file, secret, "fiscald 9.8.7"), "utf8");
    const key = readPublicKey(readFileSync(publicKey, "utf8"));
    expect(await verifyFile(file, signature, key)).toBe("fiscald 9.8.7");
    if (!hasPrograms("signatures", ["minisign"])) return;
    const args = ["minisign", "-V", "-p", publicKey, "-m", file];
    const { out, code } = await runToEnd(args, { env: { PATH } });
    expect([code, out]).toEqual([
      0,
      "Signature and comment signature verified\nTrusted comment: fiscald 9.8.7\n",
    ]);
  });

  test("is none for another file, another comment, another key or none", async () => {
    const secret = readSecretKey(makeKey("key"));
    const other = readPublicKey(publicKeyText(readSecretKey(makeKey("other"))));
    const own = readPublicKey(publicKeyText(secret));
    const file = join(folder, "file");
    writeFileSync(file, "what is released");
    const signature = readFileSync(await signFile(file, secret, "fiscald 9.8.7"), "utf8");
    const fault = (text: string, key = own) =>
      verifyFile(file, text, key).catch((error: unknown) =>
        error instanceof SignatureFault ? error.message : error,
      );
    expect(await fault(signature, other)).toContain("signed with the key");
    expect(await fault(signature.replace("9.8.7", "9.9.9"))).toContain("comment");
    for (const text of ["", signature.slice(0, 120), "a\nb\nc\nd\n"]) {
      expect(await fault(text)).toContain("no signature");
    }
    writeFileSync(file, "what is relaesed");
    expect(await fault(signature)).toContain("not of this file");
    expect(() => readPublicKey("untrusted comment\nRWQ=\n")).toThrow("no public key");
  });
});

describe("the inventory", () => {
  const lock = ["bun.lock", "scripts/release/runtimes/bun.lock"];
  const digests = new Map(
    lock.flatMap((path) => [...digestsIn(readFileSync(join(ROOT, path), "utf8"))]),
  );
  const make = (names: readonly string[]) =>
    inventory({
      ...{ ...packing, digests, packages: packagesNamed(ROOT, names) },
      runtime: { name: RUNTIMES.arm64, version: Bun.version },
    });

  test("has each package with its licence and the digest of the lock file", () => {
    const names = Object.keys(dependencies);
    const bom = JSON.parse(make(names));
    expect(bom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
    expect(bom.metadata.timestamp).toBe("2023-11-14T22:13:20.000Z");
    // The runtime is pinned too.
    expect(bom.components).toHaveLength(names.length + 1);
    expect(bom.components[0].purl).toBe(`pkg:npm/%40oven/bun-linux-aarch64@${Bun.version}`);
    for (const { hashes, licenses } of bom.components) {
      expect(hashes[0].content).toMatch(/^[0-9a-f]{128}$/);
      expect(licenses).toHaveLength(1);
    }
    const refs = bom.components.map((one: Record<string, string>) => one["bom-ref"]);
    expect(new Set(refs).size).toBe(refs.length);
    for (const { dependsOn } of bom.dependencies) expect(refs).toContainValues(dependsOn ?? []);
  });

  test("is the same for the same commit, and another for another", () => {
    expect(make(["ulid"])).toBe(make(["ulid"]));
    const serial = (text: string) => JSON.parse(text).serialNumber;
    const other = inventory({
      ...{ ...packing, digests, packages: [], commit: "d".repeat(40) },
      runtime: { name: RUNTIMES.arm64, version: Bun.version },
    });
    expect(serial(other)).not.toBe(serial(make(["ulid"])));
  });
});

describe("the packer", () => {
  test("imports nothing that an installation for a release leaves out", async () => {
    const { outputs, metafile } = await Bun.build({
      ...{ entrypoints: [join(import.meta.dir, "pack.ts")], target: "bun", packages: "external" },
      metafile: true,
    });
    expect(outputs.length).toBeGreaterThan(0);
    const imported = Object.values(metafile?.inputs ?? {}).flatMap(({ imports }) =>
      imports.filter(({ external }) => external).map(({ path }) => path),
    );
    const packages = imported
      .filter((path) => !isBuiltin(path) && path !== "bun")
      .map((path) => path.split("/", path.startsWith("@") ? 2 : 1).join("/"));
    expect(packages).toContain("markdown-it");
    expect(packages.filter((name) => !(name in dependencies))).toEqual([]);
  });
});

describe("archive and package", () => {
  test("are the same bytes from files of another hour and another folder", async () => {
    if (!hasPrograms("Debian packages", ["dpkg", "dpkg-deb"])) return;
    const digests = async (place: string, at: number) => {
      const staging = fill(place, at);
      const out = join(folder, `${place}-out`);
      mkdirSync(out);
      process.env.SOURCE_DATE_EPOCH = String(packing.epoch);
      const parts = { folder: join(folder, place), name: releaseName(packing) };
      await packArchive(join(out, "archive.tar.gz"), parts);
      await packDeb(staging, packing, out);
      return sumsOf(out);
    };
    const first = await digests("a", 1_000_000_000);
    expect(first).toContain("  fiscald_9.8.7_arm64.deb\n");
    expect(await digests("b", 1_600_000_000)).toBe(first);
  });

  test("put the same files where a machine looks for them", async () => {
    if (!hasPrograms("Debian packages", ["dpkg", "dpkg-deb"])) return;
    const staging = fill("a", 1_000_000_000);
    const deb = await packDeb(staging, packing, folder);
    const root = join(folder, "root");
    const unpacked = await runToEnd(["dpkg-deb", "-x", deb, root], { env: { PATH } });
    expect(unpacked).toMatchObject({ code: 0, err: "" });
    const [own, placed] = [staging, root].map(
      (home) => (path: string) => readFileSync(join(home, path), "utf8"),
    ) as [(path: string) => string, (path: string) => string];
    expect(placed("usr/bin/fiscald")).toBe(own("fiscald"));
    expect(placed("usr/lib/udev/rules.d/70-fiscald.rules")).toBe(own("70-fiscald.rules"));
    for (const unit of ["fiscald.service", "fiscald-controller.service"]) {
      const text = placed(`usr/lib/systemd/system/${unit}`);
      expect(text.replaceAll("/usr/bin/", "/usr/local/bin/")).toBe(own(unit));
      expect(text).not.toContain("/usr/local/");
    }
    const about = await runToEnd(["dpkg-deb", "-I", deb, "postinst"], { env: { PATH } });
    expect(about.out).toContain("make_user() {");
    expect(about.out).not.toContain("steps.sh");
  });
});

describe("the Debian package", () => {
  test("is installed, upgraded and purged, and keeps what was stored until then", async () => {
    if (!hasPrograms("Debian packages", ["dpkg", "dpkg-deb"])) return;
    const root = join(folder, "root");
    for (const part of ["info", "updates"]) {
      mkdirSync(join(root, "var/lib/dpkg", part), { recursive: true });
    }
    writeFileSync(join(root, "var/lib/dpkg/status"), "");
    const dpkg = async (...args: readonly string[]) => {
      const force = "--force-not-root,script-chrootless,depends,architecture";
      const said = await runToEnd(["dpkg", `--root=${root}`, force, ...args], { env: { PATH } });
      expect([said.code, said.code === 0 ? "" : said.err]).toEqual([0, ""]);
    };
    const pack = (version: string) => packDeb(fill(version, 1), { ...packing, version }, folder);
    const inRoot = (path: string) => join(root, path);
    // A candidate comes before its version.
    await dpkg("-i", await pack("1.1.0-rc.1"));
    expect(existsSync(inRoot("usr/bin/fiscald"))).toBe(true);
    expect(statSync(inRoot("var/lib/fiscald")).mode & 0o777).toBe(0o700);
    expect(statSync(inRoot("etc/fiscald/controller.env")).mode & 0o777).toBe(0o600);
    writeFileSync(inRoot("var/lib/fiscald/fiscald.db"), "books");
    writeFileSync(inRoot("etc/fiscald/controller.env"), "FISCALD_CONTROLLER_ID=bar\n");
    await dpkg("-i", await pack("1.1.0"));
    const read = (path: string) => readFileSync(inRoot(path), "utf8");
    expect(read("var/lib/dpkg/status")).toContain("Version: 1.1.0\n");
    expect(read("var/lib/fiscald/before-upgrade/fiscald.db")).toBe("books");
    expect(read("etc/fiscald/controller.env")).toContain("ID=bar");
    await dpkg("-r", "fiscald");
    expect(existsSync(inRoot("usr/bin/fiscald"))).toBe(false);
    expect(read("var/lib/fiscald/fiscald.db")).toBe("books");
    await dpkg("-P", "fiscald");
    expect(existsSync(inRoot("var/lib/fiscald"))).toBe(false);
    expect(existsSync(inRoot("etc/fiscald"))).toBe(false);
    // What install.sh has put there would be in its way.
    mkdirSync(inRoot("usr/local/bin"), { recursive: true });
    writeFileSync(inRoot("usr/local/bin/fiscald"), "", { mode: 0o755 });
    await rejection(dpkg("-i", join(folder, "fiscald_1.1.0_arm64.deb")));
  });
});

describe("scripts for the shell", () => {
  test("have no faults of syntax", async () => {
    const scripts = readdirSync(join(ROOT, "systemd")).filter((name) => name.endsWith(".sh"));
    const debian = readdirSync(join(import.meta.dir, "debian"));
    const own = scripts.map((name) => `systemd/${name}`);
    for (const path of [...own, ...debian.map((name) => `scripts/release/debian/${name}`)]) {
      const checked = await runToEnd(["sh", "-n", join(ROOT, path)], { env: { PATH } });
      expect([path, checked.err]).toEqual([path, ""]);
    }
  });
});
