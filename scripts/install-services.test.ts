/**
 * What installer and package do with services, on a folder that stands for a machine: a script in the
 * place of systemctl notes what it is told.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ended } from "../src/e2e/harness/run-to-end.ts";
import { InstallerFolder } from "./testing/installer-folder.ts";

let machine: InstallerFolder;
let folder: string;
let root: string;
let unpacked: string;
let calls: string;

beforeEach(() => {
  machine = new InstallerFolder(join(import.meta.dir, "release/debian"));
  ({ folder, root, unpacked } = machine);
  calls = join(folder, "calls");
  // A folder has no systemd, no udev and no user of its own.
  const lines = "has_systemd() { true; }\napply_rules() { :; }\ntell_next() { echo next; }\n";
  appendFileSync(join(unpacked, "steps.sh"), lines);
  script("systemctl", "exit 0");
  script("deb-systemd-invoke", "exit 0");
  script("deb-systemd-helper", "exit 0");
});
afterEach(() => machine.remove());

/** A program that notes how it was called before it does the lines. */
function script(name: string, ...lines: readonly string[]): void {
  machine.script(`bin/${name}`, `echo "${name} $*" >> ${calls}`, ...lines);
}

const run = (words: readonly string[]): Promise<Ended> => machine.run(words, { DPKG_ROOT: root });
const install = (...args: readonly string[]): Promise<Ended> =>
  machine.install(["--root", root, ...args]);
/** What services were told since the last look. */
function told(verb: string): string[] {
  const lines = existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [];
  return lines.filter((line) => line.split(" ")[1] === verb);
}
function forget(): void {
  writeFileSync(calls, "");
}

describe("an upgrade by install.sh", () => {
  beforeEach(async () => {
    expect((await install()).code).toBe(0);
    writeFileSync(join(root, "var/lib/fiscald/fiscald.db"), "books");
    machine.placeExecutable("1.1.0");
    forget();
  });

  test("starts the gateway again where nobody reads any more what it says", async () => {
    // The reader goes as soon as the gateway is stopped.
    script("systemctl", `[ "$1" != stop ] || read -r _ < ${join(folder, "gone")}`);
    const line = `mkfifo ${join(folder, "gone")}
      { sh ${join(unpacked, "install.sh")} --root ${root}; echo $? > ${join(folder, "code")}; } |
      { exec <&-; echo > ${join(folder, "gone")}; }`;
    await run(["sh", "-c", line]);
    expect(readFileSync(join(folder, "code"), "utf8")).toBe("0\n");
    expect(told("restart")).toEqual(["systemctl restart fiscald"]);
    expect(readFileSync(join(root, "usr/local/bin/fiscald"), "utf8")).toContain("1.1.0");
    expect(readFileSync(join(root, "usr/local/lib/fiscald/update.lock"), "utf8")).toBe("");
  });

  test("that is ended as it starts the gateway starts it before it goes", async () => {
    script("systemctl", '[ "$1" != restart ] || { kill -HUP $PPID; exit 1; }');
    expect((await install()).code).toBe(130);
    expect(told("start")).toEqual(["systemctl start fiscald"]);
    expect(readFileSync(join(root, "usr/local/lib/fiscald/update.lock"), "utf8")).toBe("");
  });

  test("starts the controller too where the gateway does not start", async () => {
    await install("--controller");
    const settings = join(root, "etc/fiscald/controller.env");
    writeFileSync(settings, "FISCALD_CONTROLLER_URL=http://192.0.2.7:8080\n");
    forget();
    script("systemctl", '[ "$1 $2" != "restart fiscald" ]');
    const { code, err } = await install();
    expect([code, err]).toEqual([1, expect.stringContaining("journalctl -u fiscald -n 50\n")]);
    expect(told("restart")).toEqual([
      ...["systemctl restart fiscald", "systemctl restart fiscald-controller"],
    ]);
  });

  test("leaves the other service off that a person has turned off", async () => {
    await install("--controller");
    writeFileSync(join(root, "etc/fiscald/controller.env"), "FISCALD_CONTROLLER_URL=http://x\n");
    forget();
    const isOff = '[ "$2 $3" != "--quiet fiscald" ]';
    script("systemctl", `case $1 in is-active | is-enabled) ${isOff} ;; esac`);
    expect((await install("--controller")).code).toBe(0);
    expect([...told("restart"), ...told("enable")]).toEqual([
      ...["systemctl restart fiscald-controller", "systemctl enable --quiet fiscald-controller"],
    ]);
  });
});

describe("the package", () => {
  test.each([
    "abort-upgrade 1.1.0",
    "abort-remove",
    "abort-deconfigure in-favour other 1.0",
    "configure 1.0.0",
  ])("starts what it had stopped: %s", async (words) => {
    const { code, out } = await run(["sh", "./postinst", ...words.split(" ")]);
    expect([code, out]).toEqual([0, ""]);
    expect(told("start")).toEqual([
      "deb-systemd-invoke start fiscald.service",
      "deb-systemd-invoke start fiscald-controller.service",
    ]);
  });

  test.each([
    { old: "1.0.0", next: "1.1.0", left: ["before-upgrade", "books of 1.0.0"] },
    { old: "1.1.0", next: "1.0.0", left: ["before-downgrade", "books of 1.1.0"] },
    { old: "1.1.0", next: "1.1.0~rc.1", left: ["before-downgrade", "books of 1.1.0"] },
    { old: "1.1.0", next: "1.1.0", left: ["before-upgrade", "books of 1.0.0"] },
  ])("keeps what the older version works on: $old, then $next", async ({ old, next, left }) => {
    const state = join(root, "var/lib/fiscald");
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, "fiscald.db"), "books of 1.0.0");
    expect((await run(["sh", "./preinst", "upgrade", "1.0.0", "1.1.0"])).code).toBe(0);
    writeFileSync(join(state, "fiscald.db"), `books of ${old}`);
    expect((await run(["sh", "./preinst", "upgrade", old, next])).code).toBe(0);
    const [name = "", books] = left;
    expect(readFileSync(join(state, name, "fiscald.db"), "utf8")).toBe(books ?? "");
    expect(readFileSync(join(state, "before-upgrade/fiscald.db"), "utf8")).toBe("books of 1.0.0");
  });
});
