/**
 * A folder that stands for a machine with systemd, and releases for it: real archives, signatures and
 * gateways; a script in the place of systemctl starts and stops them.
 */

import { generateKeyPairSync } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packArchive } from "../../../scripts/archive.ts";
import { publicKeyText, type SecretKey, signFile } from "../../../scripts/release/sign.ts";
import { executable } from "../../e2e/harness/program.ts";
import { type Ended, runToEnd } from "../../e2e/harness/run-to-end.ts";

const SYSTEMD = join(import.meta.dir, "../../../systemd");

/** Makes a key that releases are signed with. */
export function makeKey(): SecretKey {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const [seed, key] = [Buffer.from(d, "base64url"), Buffer.from(x, "base64url")];
  return { id: Buffer.from("12345678"), seed, key };
}

/** Puts a script there. */
export function placeScript(path: string, text: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

/** Where things are. */
export interface MachineFolderParts {
  /** For what is beside the machine: programs, releases, the gateway's output. */
  readonly folder: string;
  /** Stands for the machine's root. */
  readonly root: string;
  /** Path of the executable. */
  readonly program: string;
}

export class MachineFolder {
  readonly folder: string;
  readonly root: string;
  readonly secret = makeKey();
  /** Path of the executable that is tried. */
  readonly program: string;

  constructor({ folder, root, program }: MachineFolderParts) {
    this.folder = folder;
    this.root = root;
    this.program = program;
  }

  /** One in a folder of its own, with that version installed; `close` ends it. */
  static async open(version: string): Promise<MachineFolder> {
    const folder = mkdtempSync(join(tmpdir(), "fiscald-machine-"));
    const root = join(folder, "root");
    const machine = new MachineFolder({ folder, root, program: await executable() });
    machine.install(version);
    return machine;
  }

  /** Stops what systemctl has started, and removes the folder. */
  async close(): Promise<void> {
    await this.systemctl("stop");
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A path of the machine. */
  at(path: string): string {
    return join(this.root, path);
  }

  /** Runs a command as on the machine. */
  run(command: readonly string[]): Promise<Ended> {
    const PATH = `${join(this.folder, "bin")}:/usr/sbin:/usr/bin:/sbin:/bin`;
    return runToEnd(command, { env: { PATH } });
  }

  /**
   * Has systemd say that of a service at the next looks, one each, until it is stopped; then how it is.
   * @param looks ActiveState, SubState and the type of its job, if it has one, with blanks between
   */
  says(service: string, ...looks: readonly string[]): void {
    writeFileSync(join(this.folder, `says-${service}`), looks.map((look) => `${look}\n`).join(""));
  }

  /** The services that systemctl was to start or to stop, call by call. */
  told(verb: "start" | "stop"): string[] {
    const lines = readFileSync(join(this.folder, "calls"), "utf8").split("\n");
    return lines.flatMap((line) =>
      line.startsWith(`${verb} `) ? [line.slice(verb.length + 1)] : [],
    );
  }

  systemctl(verb: "start" | "stop"): Promise<Ended> {
    return this.run([join(this.folder, "bin/systemctl"), verb, "fiscald"]);
  }

  update(...args: readonly string[]): Promise<Ended> {
    return this.run([
      ...[this.program, "update", "--root", this.root, "--watch-seconds", "0"],
      ...args,
    ]);
  }

  /** The real gateway, but for what it is called; it does what the lines say first. */
  gatewayCalled(version: string, ...lines: readonly string[]): string {
    const named = `[ "$1" != version ] || { echo "fiscald ${version} (test)"; exit; }`;
    return ["#!/bin/sh", named, ...lines, `exec ${this.program} "$@"`, ""].join("\n");
  }

  /**
   * Installs that version.
   * @param settings further arguments of the gateway that the service starts
   */
  install(version: string, settings: readonly string[] = []): void {
    placeScript(this.at("usr/local/bin/fiscald"), this.gatewayCalled(version));
    placeScript(this.at("etc/fiscald/release.pub"), publicKeyText(this.secret));
    placeScript(this.at("etc/systemd/system/fiscald.service"), `# of ${version}\n`);
    mkdirSync(this.at("run/systemd/system"), { recursive: true });
    const state = this.at("var/lib/fiscald");
    const serve = `${this.at("usr/local/bin/fiscald")} serve --state-dir ${state}`;
    const options = ["--http-listen 127.0.0.1:0", ...settings].join(" ");
    const [pid, url] = [join(this.folder, "pid"), join(state, "fiscald.url")];
    const says = join(this.folder, "says");
    placeScript(
      join(this.folder, "bin/systemctl"),
      `#!/bin/sh
echo "$*" >> ${this.folder}/calls
lives() { [ -f ${pid} ] && read -r gateway < ${pid} && kill -0 $gateway 2>/dev/null; }
says() { [ ! -f ${says}-$1 ] || head -n 1 ${says}-$1; }
case $1 in
  list-jobs) set -- "$4" $(says "\${4%.service}"); [ -z "$4" ] || echo "89 $1 $4 waiting" ;;
  show)
    case $2 in
      --property=ActiveState,SubState)
        set -- "$3" $(says "$3")
        [ -z "$2" ] || sed -i 1d ${says}-$1
        [ -n "$2" ] || [ "$1" != fiscald ] || ! lives || set -- "$1" active running
        printf 'ActiveState=%s\nSubState=%s\n' "\${2:-inactive}" "\${3:-dead}" ;;
      --property=LoadState) echo loaded ;;
      --property=UnitFileState) echo enabled ;;
    esac ;;
  stop)
    for unit in "$@"; do rm -f ${says}-$unit; done
    case "$*" in *fiscald-controller) [ "$2" = fiscald ] || exit 0 ;; esac
    ! lives || { kill $gateway; tail -f -s 0.05 --pid=$gateway /dev/null; } ;;
  start)
    [ "$2" = fiscald ] || exit 0
    ${serve} ${options} >> ${this.folder}/log 2>&1 & echo $! > ${pid}
    while ! [ -f ${url} ]; do lives || exit 1; sleep 0.05; done ;;
esac
`,
    );
  }

  /** Packs and signs a release whose executable is that script. @returns path of the archive */
  async pack(
    version: string,
    script: string,
    architecture: string = process.arch,
  ): Promise<string> {
    const { folder, secret } = this;
    const name = `fiscald-${version}-linux-${architecture}`;
    mkdirSync(join(folder, name), { recursive: true });
    for (const file of readdirSync(SYSTEMD)) {
      copyFileSync(join(SYSTEMD, file), join(folder, name, file));
    }
    placeScript(join(folder, name, "fiscald"), script);
    const archive = await packArchive(join(folder, `${name}.tar.gz`), { folder, name });
    await signFile(archive, secret, `fiscald ${version} ${name}.tar.gz`);
    return archive;
  }

  /** What the version says that is installed. */
  async installed(): Promise<string> {
    return (await this.run([this.at("usr/local/bin/fiscald"), "version"])).out;
  }

  /** Where the gateway takes requests. */
  url(): string {
    return readFileSync(this.at("var/lib/fiscald/fiscald.url"), "utf8").trim();
  }
}
