/**
 * Tries a release of the last commit as a whole: bun run release --prove [--only STEP]...
 *
 * Needs root and Debian's debootstrap, systemd-container, qemu-user-static and minisign; it takes
 * some ten minutes and 3 GB in /var/tmp/fiscald-prove, where a later run on the same commit finds
 * again what this one made. Everything is made twice and compared, verified by minisign, started on
 * the other architecture under emulation down to a printed receipt, and on Debian 12 and 13 installed,
 * watched, updated, rolled back, cut off by the power amid an update, and purged under a real systemd.
 */

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "#src/e2e/harness/until.ts";
import { packArchive } from "../archive.ts";
import { boot, type Container, type DebianKind, makeDebian } from "./container.ts";
import { release } from "./make.ts";
import { publicKeyText, readSecretKey, type SecretKey, signFile } from "./sign.ts";
import { type Commit, commitOf, run } from "./tree.ts";

const ROOT = join(import.meta.dir, "../..");
/** Outside the tree: what searches the tree would follow the links in a Debian's /proc and /dev. */
const PLACE = "/var/tmp/fiscald-prove";
const FIRST = join(PLACE, "first");
const LATER = join(PLACE, "later");
const NEXT = "999.0.0";
const BROKEN = "999.1.0";

/** What is tried. */
interface Scene {
  readonly commit: Commit;
  readonly secretKey: SecretKey;
  readonly publicKey: string;
  readonly version: string;
}

async function step(what: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await work();
  console.log(`ok  ${what} (${((performance.now() - startedAt) / 1_000).toFixed(0)} s)`);
}

/** @throws Error unless the text has the part */
function must(text: string, part: string | RegExp): void {
  const has = typeof part === "string" ? text.includes(part) : part.test(text);
  if (!has) throw new Error(`expected ${part} in:\n${text}`);
}

/** Fills a folder, unless an earlier run has filled it from this commit. */
async function fillOnce(folder: string, { commit }: Scene, fill: () => Promise<unknown>) {
  const mark = `${folder}.commit`;
  if (existsSync(mark) && readFileSync(mark, "utf8") === commit.id) return;
  rmSync(mark, { force: true });
  await fill();
  writeFileSync(mark, commit.id);
}

/** The release that every step tries. */
async function makeFirst(scene: Scene): Promise<void> {
  const { commit, secretKey } = scene;
  await fillOnce(FIRST, scene, () => release({ commit, secretKey, out: FIRST }));
}

/** Two builds in two folders: the same bytes. */
async function provesReproducible(scene: Scene): Promise<void> {
  const { commit, publicKey } = scene;
  const second = join(PLACE, "second");
  await makeFirst(scene);
  await release({ commit, out: second, publicKey });
  const [one, other] = [FIRST, second].map((out) => readFileSync(join(out, "SHA256SUMS"), "utf8"));
  if (one !== other) throw new Error(`not the same bytes:\n${one}\n${other}`);
  console.log(one?.trim());
  rmSync(second, { recursive: true });
}

async function provesSignatures(scene: Scene): Promise<void> {
  await makeFirst(scene);
  for (const signature of new Bun.Glob("*.minisig").scanSync(FIRST)) {
    const name = signature.replace(".minisig", "");
    await run(["minisign", "-V", "-q", "-p", scene.publicKey, "-m", name], FIRST);
    console.log(`${name}: ${sizeOf(join(FIRST, name))}`);
  }
  await run(["sha256sum", "-c", "SHA256SUMS"], FIRST);
}

function sizeOf(path: string): string {
  return `${(Bun.file(path).size / 2 ** 20).toFixed(1)} MiB`;
}

/** From `version` to printed receipts over TCP and a serial port, on an emulated processor. */
async function provesOtherArchitecture(scene: Scene): Promise<void> {
  await makeFirst(scene);
  const debian = await makeDebian(PLACE, {
    ...{ suite: "bookworm", architecture: "arm64", packages: ["libstdc++6"] },
  });
  const name = `fiscald-${scene.version}-linux-arm64`;
  await run(["tar", "-xzf", join(FIRST, `${name}.tar.gz`), "-C", PLACE], "/");
  const program = join(PLACE, "fiscald-arm64");
  const emulator = `qemu-aarch64-static -L ${debian} ${join(PLACE, name, "fiscald")}`;
  writeFileSync(program, `#!/bin/sh\nPATH=/usr/bin exec ${emulator} "$@"\n`, { mode: 0o755 });
  must(await run([program, "version"], "/"), "linux-arm64");
  console.log((await run([process.execPath, "scripts/smoke-binary.ts", program], ROOT)).trim());
}

/** Archives of two more versions: one that works, and one that does not start. */
async function makeLater({ commit, secretKey }: Scene): Promise<void> {
  const change = (folder: string): void => {
    const path = join(folder, "package.json");
    const manifest = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...manifest, version: NEXT }));
  };
  await release({ commit, secretKey, change, out: LATER, architectures: ["x64"] });
  const [works, fails] = [NEXT, BROKEN].map((version) => `fiscald-${version}-linux-x64`) as [
    string,
    string,
  ];
  await run(["tar", "-xzf", `${works}.tar.gz`, "--transform", `s/${works}/${fails}/`], LATER);
  const real = join(LATER, fails, "fiscald");
  await run(["mv", real, `${real}.real`], "/");
  const script = `case $1 in version) echo "fiscald ${BROKEN} (broken)" ;; serve) exit 1 ;; *) exec "$0.real" "$@" ;; esac`;
  writeFileSync(real, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  rmSync(join(LATER, fails, "SHA256SUMS"));
  const archive = join(LATER, `${fails}.tar.gz`);
  await packArchive(archive, { folder: LATER, name: fails });
  await signFile(archive, secretKey, `fiscald ${BROKEN} ${fails}.tar.gz`);
}

/** What a shop's Debian has. */
const SYSTEM = ["systemd", "systemd-sysv", "udev", "dbus", "curl"];

type ContainerProof = (scene: Scene, debian: Container) => Promise<unknown>;

/** A Debian as a shop would have it, with the archives in it. */
async function inContainer(
  scene: Scene,
  suite: DebianKind["suite"],
  work: ContainerProof,
): Promise<void> {
  await makeFirst(scene);
  await fillOnce(LATER, scene, () => makeLater(scene));
  const debian = await makeDebian(PLACE, {
    ...{ suite, architecture: "amd64", packages: SYSTEM },
  });
  const container = await boot(debian, join(PLACE, "machine"));
  try {
    const files = [...new Bun.Glob("{first,later}/*{x64,amd64}*").scanSync(PLACE)];
    for (const path of files) container.give(join(PLACE, path));
    await work(scene, container);
  } finally {
    await container.stop();
  }
}

const HEALTH =
  "curl -sf --retry 30 --retry-connrefused --retry-delay 1 http://127.0.0.1:8080/health";

const PERSON = {
  ...{ email: "owner@shop.example", password: "a long enough password" },
  ...{ name: "Ana", organizationName: "Shop" },
};

/** What the unit lets the service do is enough for a backup that the service makes itself. */
async function provesOwnBackup(sh: Container["sh"]): Promise<void> {
  let token = "";
  const ask = async (call: string, body?: object) => {
    const [method, path] = call.split(" ");
    const words = ["curl", "-sf", "-X", method, "-H", `'Authorization: Bearer ${token}'`];
    if (body)
      words.push("-H", "'Content-Type: application/json'", "-d", `'${JSON.stringify(body)}'`);
    return JSON.parse(await sh([...words, `http://127.0.0.1:8080/api/v1${path}`].join(" ")));
  };
  token = (await ask("POST /auth/register", PERSON)).accessToken;
  await ask("PATCH /backups/settings", { passphrase: "a passphrase for tests" });
  await ask("POST /backups", {});
  let said: { readonly last?: unknown; readonly failed?: unknown } = {};
  await until("the service's own backup to end", async () => {
    said = await ask("GET /backups");
    return Boolean(said.last ?? said.failed);
  });
  must(JSON.stringify(said), '"failed":null');
}

/** Installed, started, watched, updated, rolled back, removed, purged. */
async function provesArchive({ version }: Scene, { sh }: Container): Promise<void> {
  const name = `fiscald-${version}-linux-x64`;
  const out = await sh(`cd /root && tar xzf ${name}.tar.gz && ./${name}/install.sh`);
  must(out, "http://");
  must(out, "█");
  must(await sh(HEALTH), `"version":"${version}"`);
  must(await sh("systemctl show fiscald"), "StatusText=take");
  must(
    await sh("systemd-analyze security fiscald --no-pager"),
    /level for fiscald.service: (0|1\.[0-5]) /,
  );
  must(await sh("udevadm test /sys/class/tty/tty0 2>&1"), "/etc/udev/rules.d/70-fiscald.rules");
  await provesOwnBackup(sh);
  // A process that stands still is found and started anew.
  const drop = "/run/systemd/system/fiscald.service.d";
  await sh(`mkdir -p ${drop}; printf '[Service]\\nWatchdogSec=5\\n' > ${drop}/t.conf
    systemctl daemon-reload; systemctl restart fiscald
    kill -STOP $(systemctl show -p MainPID --value fiscald)`);
  await sh(`for i in $(seq 60); do [ "$(systemctl show -p NRestarts --value fiscald)" = 0 ] || exit 0
    sleep 1; done; exit 1`);
  must(await sh("journalctl -u fiscald --no-pager"), "Watchdog timeout");
  await sh(`rm -r ${drop}; systemctl daemon-reload; systemctl restart fiscald`);
  must(await sh(`fiscald update /root/fiscald-${NEXT}-linux-x64.tar.gz`), `to ${NEXT}`);
  must(await sh(HEALTH), `"version":"${NEXT}"`);
  const failed = await sh(
    `fiscald update /root/fiscald-${BROKEN}-linux-x64.tar.gz 2>&1 || echo "ended with $?"`,
  );
  must(failed, `not updated, ${NEXT} runs as before`);
  must(failed, "ended with 1");
  must(await sh(HEALTH), `"version":"${NEXT}"`);
  await sh(`/root/${name}/install.sh --uninstall`);
  await sh(
    "! systemctl is-active -q fiscald && [ -f /var/lib/fiscald/fiscald.db ] && ! command -v fiscald",
  );
  await sh(
    `/root/${name}/install.sh --uninstall --purge; [ ! -e /var/lib/fiscald ] && ! getent passwd fiscald`,
  );
}

/** The same for the package. */
async function provesPackage({ version }: Scene, { sh }: Container): Promise<void> {
  await sh(`dpkg -i /root/fiscald_${version}_amd64.deb`);
  must(await sh("udevadm test /sys/class/tty/tty0 2>&1"), "/lib/udev/rules.d/70-fiscald.rules");
  must(await sh(HEALTH), `"version":"${version}"`);
  await sh(`dpkg -i /root/fiscald_${NEXT}_amd64.deb`);
  must(await sh(HEALTH), `"version":"${NEXT}"`);
  await sh("[ -f /var/lib/fiscald/before-upgrade/fiscald.db ]");
  const refused = await sh(`fiscald update /root/fiscald-${BROKEN}-linux-x64.tar.gz 2>&1 || true`);
  must(refused, "apt install");
  await sh("dpkg -r fiscald; ! systemctl is-active -q fiscald; [ -f /var/lib/fiscald/fiscald.db ]");
  await sh("dpkg -P fiscald; [ ! -e /var/lib/fiscald ] && [ ! -e /etc/fiscald ]");
}

/** While files are exchanged, and once the new version has the database. */
const CUTS = [/^from=/m, /^started=yes$/m] as const;
/** Unpacking and trying the migration come before, on a machine that may be busy. */
const CUT_WITHIN_MS = 300_000;

/** An update that the power ends: the next boot goes back before the gateway starts. */
async function provesPowerCut({ version }: Scene, first: Container): Promise<void> {
  const name = `fiscald-${version}-linux-x64`;
  await first.sh(`cd /root && tar xzf ${name}.tar.gz && ./${name}/install.sh`);
  let machine = first;
  for (const moment of CUTS) {
    must(await machine.sh(HEALTH), `"version":"${version}"`);
    const updating = machine
      .sh(`fiscald update --watch-seconds 600 /root/fiscald-${NEXT}-linux-x64.tar.gz`)
      .catch(() => "cut off");
    const { read } = machine;
    const isHere = () => moment.test(read("usr/local/lib/fiscald/under-way") ?? "");
    await until(`${moment}`, isHere, CUT_WITHIN_MS);
    await machine.cutPower();
    await updating;
    machine = await machine.bootAgain();
    must(await machine.sh(HEALTH), `"version":"${version}"`);
    must(await machine.sh("fiscald version"), ` ${version} `);
    must(machine.read("usr/local/lib/fiscald/update.json") ?? "", '"outcome":"went_back"');
    await machine.sh("[ ! -e /usr/local/lib/fiscald/under-way ]");
    const units = "-u fiscald-go-back -u fiscald";
    const journal = await machine.sh(`journalctl -b --no-pager -o cat ${units}`);
    must(journal, /Finished fiscald-go-back[\s\S]*(Starting|Started) fiscald\.service/);
  }
  await machine.stop();
}

/** The udev of Debian 13 understands every line; that of Debian 12 cannot be asked. */
async function provesRules(): Promise<void> {
  const debian = await makeDebian(PLACE, {
    ...{ suite: "trixie", architecture: "amd64", packages: SYSTEM },
  });
  const name = "70-fiscald.rules";
  copyFileSync(join(ROOT, "systemd", name), join(debian, "tmp", name));
  await run(["chroot", debian, "udevadm", "verify", "--resolve-names=early", `/tmp/${name}`], "/");
}

/** What is tried, by the name that `--only` takes, in this order. */
const STEPS: Readonly<Record<string, readonly [what: string, prove: Proof]>> = {
  reproducible: ["two builds of one commit are the same bytes", provesReproducible],
  signatures: ["minisign verifies every file", provesSignatures],
  rules: ["Debian 13 verifies the rules for udev", provesRules],
  arm64: ["arm64 prints receipts under emulation", provesOtherArchitecture],
  ...onDebian("archive", "installed, watched, updated, rolled back, purged", provesArchive),
  ...onDebian("package", "installed, upgraded, removed, purged", provesPackage),
  ...onDebian("power", "an update cut by the power is gone back from at boot", provesPowerCut),
};
type Proof = (scene: Scene) => Promise<void>;

/** A step on each Debian that a shop may have: `name` on Debian 12, `name-13` on Debian 13. */
function onDebian(name: string, what: string, proof: ContainerProof): typeof STEPS {
  const on = (suite: DebianKind["suite"]) => (scene: Scene) => inContainer(scene, suite, proof);
  return {
    [name]: [`${name} on Debian 12: ${what}`, on("bookworm")],
    [`${name}-13`]: [`${name} on Debian 13: ${what}`, on("trixie")],
  };
}

/**
 * Tries everything, or some of it.
 * @param only names of steps; all when empty
 * @throws Error with what did not hold, or that there is no such step
 */
export async function prove(only: readonly string[]): Promise<void> {
  const unknown = only.filter((name) => !Object.hasOwn(STEPS, name));
  if (unknown.length > 0) {
    throw new Error(`no step ${unknown.join(", ")}: there are ${Object.keys(STEPS).join(", ")}`);
  }
  // A key that nobody trusts: it stays, because what was made earlier is signed with it.
  const keys = join(PLACE, "keys");
  const [secret, publicKey] = [join(keys, "secret"), join(keys, "release.pub")];
  mkdirSync(keys, { recursive: true });
  if (!existsSync(secret)) await run(["minisign", "-G", "-W", "-p", publicKey, "-s", secret], "/");
  const { version } = await Bun.file(join(ROOT, "package.json")).json();
  const secretKey = readSecretKey(secret);
  writeFileSync(publicKey, publicKeyText(secretKey));
  const scene: Scene = { commit: await commitOf("HEAD"), secretKey, publicKey, version };
  for (const [name, [what, proof]] of Object.entries(STEPS)) {
    if (only.length === 0 || only.includes(name)) await step(what, () => proof(scene));
  }
}
