/**
 * `fiscald update` on a folder that stands for a machine: real archives, signatures, databases and
 * gateways; a script in the place of systemctl starts and stops them.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { signFile } from "../../scripts/release/sign.ts";
import { asRoot } from "../e2e/harness/other-runtime.ts";
import { startOwnProcess } from "../e2e/harness/own-process.ts";
import type { Ended } from "../e2e/harness/run-to-end.ts";
import { installedAt, readUpdateNote } from "../update/outcome-note.ts";
import { VERSION } from "../version.ts";
import { MachineFolder, makeKey, placeScript } from "./testing/machine-folder.ts";

const FORMER = "0.0.1";
const ARCH = process.arch;

let machine: MachineFolder;
beforeEach(async () => {
  machine = await MachineFolder.open(FORMER);
});
afterEach(() => machine.close());

const inRoot = (path: string): string => machine.at(path);
const gatewayCalled = (version: string, ...lines: readonly string[]) =>
  machine.gatewayCalled(version, ...lines);
const pack = (version: string, script: string, architecture?: string) =>
  machine.pack(version, script, architecture);
const update = (...args: readonly string[]): Promise<Ended> => machine.update(...args);
const installed = (): Promise<string> => machine.installed();
const unit = (): string => readFileSync(inRoot("etc/systemd/system/fiscald.service"), "utf8");
const health = async () => (await fetch(`${machine.url()}/health`)).status;
/** What the gateway tells of it, as it finds it by its state directory. */
const note = () => readUpdateNote(installedAt(inRoot("var/lib/fiscald")).note);
const start = () => machine.systemctl("start");

describe("an update", () => {
  test("puts the new version in place, started and well, and saves the database", async () => {
    await start();
    const archive = await pack(VERSION, gatewayCalled(VERSION));
    const { out, err, code } = await update(archive);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(`verified ${VERSION}\nupdated ${FORMER} to ${VERSION}\n`);
    const about = { from: FORMER, to: VERSION, databaseRestored: false };
    expect(note()).toMatchObject({ ...about, outcome: "updated", reason: null });
    expect(await installed()).toContain(VERSION);
    expect(await health()).toBe(200);
    expect(unit()).toContain("WatchdogSec=");
    expect(existsSync(inRoot("var/lib/fiscald/before-upgrade/fiscald.db"))).toBe(true);
    expect(readdirSync(inRoot("usr/local/lib/fiscald")).toSorted()).toEqual([
      ...["former", "update.json", "update.lock"],
    ]);
  });

  test("shows the service's user what that needs of it, whatever umask root's shell has", async () => {
    const home = inRoot("usr/local/lib/fiscald");
    const [tried, begun] = [join(machine.folder, "tried"), join(machine.folder, "begun")];
    const archive = await pack(
      VERSION,
      gatewayCalled(
        VERSION,
        `[ "$1" != migrate ] || stat -c %a ${home} ${home}/update > ${tried}`,
        `[ "$1" != serve ] || stat -c %a ${home}/under-way > ${begun}`,
      ),
    );
    await start();
    const line = [machine.program, "update", "--root", machine.root, "--watch-seconds", "0"];
    const closed = ["sh", "-c", 'umask 077; exec "$@"', "sh", ...line, archive];
    expect(await machine.run(closed)).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(tried, "utf8")).toBe("711\n711\n");
    expect(readFileSync(begun, "utf8")).toBe("644\n");
  });

  test("says so where the gateway did not run, and so is not looked at", async () => {
    const { out, code } = await update(await pack(VERSION, gatewayCalled(VERSION)));
    expect([code, out]).toEqual([0, expect.stringContaining("did not run before, and was not")]);
  });

  test("stops a gateway that falls over and is started again and again, and looks at it then", async () => {
    const falls = ["activating start start", "activating auto-restart"];
    machine.says("fiscald", ...falls, ...falls, ...falls);
    const { code, err, out } = await update(await pack(VERSION, gatewayCalled(VERSION)));
    expect([code, err, out]).toEqual([
      ...[0, "", `verified ${VERSION}\nupdated ${FORMER} to ${VERSION}\n`],
    ]);
    expect([machine.told("stop"), machine.told("start")]).toEqual([["fiscald"], ["fiscald"]]);
    expect(await health()).toBe(200);
  });

  test("lets no gateway start on the database that waits for its turn, and looks at it then", async () => {
    machine.says("fiscald", "inactive dead start");
    const { code, err, out } = await update(await pack(VERSION, gatewayCalled(VERSION)));
    expect([code, err, out]).toEqual([
      ...[0, "", `verified ${VERSION}\nupdated ${FORMER} to ${VERSION}\n`],
    ]);
    expect([machine.told("stop"), machine.told("start")]).toEqual([["fiscald"], ["fiscald"]]);
    expect(await health()).toBe(200);
  });

  test.each([
    {
      how: "was killed a moment ago",
      looks: ["deactivating stop-watchdog", "activating auto-restart"],
    },
    { how: "did not start at once", looks: ["activating start start", "activating auto-restart"] },
    { how: "somebody starts again", looks: ["deactivating stop-sigterm restart"] },
  ])("goes back to a gateway that works and $how, as to one that ran", async ({ looks }) => {
    machine.install(VERSION);
    await start();
    machine.says("fiscald", ...looks, "activating start start");
    const ends = gatewayCalled("9.9.9", '[ "$1" != serve ] || exit 1');
    expect(await update(await pack("9.9.9", ends))).toMatchObject({
      ...{ code: 1, err: expect.stringContaining(`not updated, ${VERSION} runs as before`) },
    });
    expect([await machine.installed(), note()?.outcome, await health()]).toEqual([
      ...[expect.stringContaining(VERSION), "went_back", 200],
    ]);
  });

  test("goes back to one that waits for its turn too, which nobody has seen fail", async () => {
    machine.install(VERSION);
    machine.says("fiscald", "inactive dead start");
    const ends = gatewayCalled("9.9.9", '[ "$1" != serve ] || exit 1');
    expect((await update(await pack("9.9.9", ends))).code).toBe(1);
    expect([await machine.installed(), await health()]).toEqual([
      ...[expect.stringContaining(VERSION), 200],
    ]);
  });

  test.each(["fiscald", "fiscald-controller"])(
    "waits for %s to end that somebody is stopping, and leaves it off",
    async (service) => {
      await start();
      machine.says(service, "deactivating stop-sigterm stop");
      const archive = await pack(VERSION, gatewayCalled(VERSION));
      expect(await update(archive)).toMatchObject({ code: 0, err: "" });
      expect(machine.told("stop").join(" ")).toContain(service);
      expect(machine.told("start")).toEqual(
        service === "fiscald" ? ["fiscald"] : ["fiscald", "fiscald"],
      );
    },
  );

  test("goes back by itself from a version that is not well, database included", async () => {
    // It answers as this version, which a gateway that came back has to.
    machine.install(VERSION);
    await start();
    // As where a file system has no room for attributes.
    const complains = '#!/bin/sh\necho cp: preserving times >&2\nexec /bin/cp "$@"\n';
    placeScript(join(machine.folder, "bin/cp"), complains);
    // It leaves a database that the former one does not know, and ends.
    const ruin = `[ "$1" != serve ] || { echo ruined > "$3/fiscald.db"; rm -f "$3"/*-wal; exit 1; }`;
    const { out, err, code } = await update(await pack("9.9.9", gatewayCalled("9.9.9", ruin)));
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`not updated, ${VERSION} runs as before`),
    ]);
    expect(out).toContain("the database is the one that was saved");
    expect(note()).toMatchObject({
      ...{ from: VERSION, to: "9.9.9", outcome: "went_back", databaseRestored: true },
      reason: expect.stringContaining("systemctl start"),
    });
    expect(await installed()).toContain(VERSION);
    expect(unit()).toBe(`# of ${VERSION}\n`);
    expect(await health()).toBe(200);
    expect(readFileSync(inRoot("var/lib/fiscald/failed-update/fiscald.db"), "utf8")).toBe(
      "ruined\n",
    );
  });

  test("puts the saved database back where the former version does not start on the whole one", async () => {
    machine.install(VERSION);
    // It looks at the number that programs may write into the head, which its schema does not tell.
    const number = `"$(dd if="$3/fiscald.db" bs=1 skip=63 count=1 2>/dev/null)"`;
    const refuses = `[ "$1" != serve ] || [ ${number} != M ] || exit 1`;
    placeScript(inRoot("usr/local/bin/fiscald"), gatewayCalled(VERSION, refuses));
    await start();
    const mark = `printf M | dd bs=1 seek=63 of="$3/fiscald.db" conv=notrunc 2>/dev/null`;
    const ruin = `[ "$1" != serve ] || { ${mark}; exit 1; }`;
    const { out, code } = await update(await pack("9.9.9", gatewayCalled("9.9.9", ruin)));
    expect([code, out]).toEqual([1, expect.stringContaining("the one that was saved")]);
    expect(note()).toMatchObject({ outcome: "went_back", databaseRestored: true });
    expect(await health()).toBe(200);
  });

  test("broken off as it puts the database back, no gateway starts on none or half of one", async () => {
    machine.install(VERSION);
    await start();
    const state = inRoot("var/lib/fiscald");
    const isBack = `[ "$3" = ${join(state, "fiscald.db")} ]`;
    placeScript(
      join(machine.folder, "bin/cp"),
      `#!/bin/sh\n! ${isBack} || exit 1\nexec /bin/cp "$@"\n`,
    );
    const ruin = `[ "$1" != serve ] || { echo ruined > "$3/fiscald.db"; rm -f "$3"/*-wal; exit 1; }`;
    const { code } = await update(await pack("9.9.9", gatewayCalled("9.9.9", ruin)));
    expect([code, note()?.outcome]).toEqual([3, "broken"]);
    const serve = [inRoot("usr/local/bin/fiscald"), "serve", "--http-listen", "127.0.0.1:0"];
    const gateway = startOwnProcess([...serve, "--state-dir", state], { PATH: "/usr/bin:/bin" });
    const became = await gateway.line("listening").then(
      () => "listening",
      () => gateway.exited,
    );
    await gateway.kill();
    expect([became, gateway.output()]).toEqual([3, expect.stringContaining("damaged")]);
    expect(existsSync(join(state, "before-upgrade/fiscald.db"))).toBe(true);
  });

  test("killed as the new version starts, is gone back from by the next one", async () => {
    await start();
    // It leaves a database that the former one does not know, and takes its starter's starter along.
    const kill = "kill -9 $(ps -o ppid= -p $PPID)";
    const ruin = `[ "$1" != serve ] || { echo ruined > "$3/fiscald.db"; rm -f "$3"/*-wal; ${kill}; exit 1; }`;
    const killed = await update(await pack("9.9.8", gatewayCalled("9.9.8", ruin)));
    expect([killed.code, await installed()]).toEqual([137, expect.stringContaining("9.9.8")]);
    const { out, err, code } = await update(await pack(VERSION, gatewayCalled(VERSION)));
    expect([code, err]).toEqual([0, ""]);
    expect(out).toStartWith(
      `the last update was broken off: back to ${FORMER}, as before the upgrade to 9.9.8\n`,
    );
    expect(out).toContain(`updated ${FORMER} to ${VERSION}`);
    const failed = join(inRoot("var/lib/fiscald"), "failed-update/fiscald.db");
    expect(readFileSync(failed, "utf8")).toBe("ruined\n");
    expect([await installed(), await health()]).toEqual([expect.stringContaining(VERSION), 200]);
    expect(existsSync(inRoot("usr/local/lib/fiscald/under-way"))).toBe(false);
  });

  test("touches nothing for a version that cannot bring the database to its schema", async () => {
    await start();
    const script = gatewayCalled(
      "9.9.9",
      '[ "$1" != migrate ] || { echo "no such column"; exit 5; }',
    );
    const { err, code } = await update(await pack("9.9.9", script));
    const why = "the new version cannot bring the database to its schema, as a copy has shown";
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`not updated, ${FORMER} runs as before: ${why}: no such column\n`),
    ]);
    expect(note()).toMatchObject({ outcome: "refused", to: "9.9.9" });
    expect(await installed()).toContain(FORMER);
    expect(existsSync(inRoot("usr/local/lib/fiscald/former"))).toBe(false);
    expect(await health()).toBe(200);
  });

  test("says that it was not unpacked where another program has filled the disk meanwhile", async () => {
    await start();
    const full = "tar: fiscald: Wrote only 7168 of 10240 bytes";
    placeScript(join(machine.folder, "bin/tar"), `#!/bin/sh\necho ${full} >&2\nexit 2\n`);
    const archive = await pack("9.9.9", gatewayCalled("9.9.9"));
    const { out, err, code } = await update(archive);
    const work = inRoot("usr/local/lib/fiscald/update");
    const told = `fiscald: ${archive} cannot be unpacked in ${work}: ${full}\n`;
    expect([code, out, err]).toEqual([2, "", told]);
    expect([await installed(), await health()]).toEqual([expect.stringContaining(FORMER), 200]);
    expect(readdirSync(inRoot("usr/local/lib/fiscald"))).toEqual(["update.lock"]);
  });

  test.each(asRoot("an update on a small disk"))(
    "leaves nothing on a disk that is too small, as %s",
    async () => {
      const home = inRoot("usr/local/lib/fiscald");
      mkdirSync(home, { recursive: true });
      const archive = await pack("9.9.9", gatewayCalled("9.9.9"));
      const line = [machine.program, "update", "--root", machine.root, archive];
      const script = `mount -t tmpfs -o size=9m tmpfs "$0"; "$@" || code=$?; ls "$0"; exit $code`;
      const { out, err, code } = await machine.run([
        ...["unshare", "--mount", "sh", "-uc", script, home, ...line],
      ]);
      expect([code, out]).toEqual([2, "update.lock\n"]);
      expect(err).toBe(
        `fiscald: the update is not begun: ${home} needs 512 MB of room on its disk\n`,
      );
    },
  );

  test("is refused unless it is newer, for this machine, and signed as what it is", async () => {
    const [newer, other] = [gatewayCalled("9.9.9"), ARCH === "x64" ? "arm64" : "x64"];
    const refusals: [archive: string, why: string][] = [
      [await pack("0.0.1", newer), "is installed already"],
      [await pack("0.0.0", newer), "which is newer"],
      [await pack("9.9.8", newer, other), `is for linux-${other}`],
      [await pack("9.9.7", newer), "was signed as 9.9.7, and its program is 9.9.9"],
      ["/dev/null", "is no file"],
    ];
    const archive = await pack("9.9.9", newer);
    await signFile(archive, machine.secret, "fiscald 9.9.9 SHA256SUMS");
    refusals.push([archive, `fiscald: ${archive} is signed, but as something else`]);
    for (const [path, why] of refusals) {
      for (const asked of [[path], [path, "--check"]]) {
        const { out, err, code } = await update(...asked);
        expect([asked, code, out, err]).toEqual([asked, 2, "", expect.stringContaining(why)]);
      }
    }
    const again = await pack("9.9.9", `${newer}#\n`);
    await signFile(again, { ...makeKey(), id: machine.secret.id }, `fiscald 9.9.9 fiscald-9.9.9`);
    expect(await update(again)).toMatchObject({
      ...{ code: 2, out: "", err: expect.stringContaining(`fiscald: ${again} is not taken: the`) },
    });
    rmSync(`${again}.minisig`);
    expect((await update(again)).err).toBe(
      `fiscald: ${again} is not taken: its signature ${again}.minisig is missing beside it\n`,
    );
    rmSync(inRoot("etc/fiscald/release.pub"));
    expect((await update(again)).err).toContain("Without one, install.sh of a version");
    expect(await installed()).toContain(FORMER);
  });

  test("with --check says so where the folder for temporary files does not do", async () => {
    const check = [machine.program, "update", "--root", machine.root, "--check"];
    const inFolder = (folder: string, ...words: readonly string[]) =>
      machine.run(["env", `TMPDIR=${folder}`, ...check, ...words]);
    // As where programs may not run from there.
    const archive = await pack("9.9.9", "#!/not/here\n");
    const { code, out, err } = await inFolder(machine.folder, archive);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^fiscald: the new version cannot be run in \S+: ENOENT.+TMPDIR may name/s);
    for (const words of [[archive], ["--from", machine.folder]]) {
      const none = await inFolder("/not/here", ...words);
      expect([none.code, none.err]).toEqual([2, expect.stringContaining("/not/here cannot be")]);
    }
    expect(readdirSync(machine.folder).filter((name) => name.includes("update-"))).toEqual([]);
  });

  test.each(asRoot("--check without room for temporary files"))(
    "with --check says so where a folder for temporary files has no room, as %s",
    async () => {
      const list = join(machine.folder, "SHA256SUMS");
      writeFileSync(list, "");
      await signFile(list, machine.secret, "fiscald 9.9.9 SHA256SUMS");
      const small = join(machine.folder, "small");
      mkdirSync(small);
      const check = [machine.program, "update", "--root", machine.root, "--check"];
      // Of itself and one folder in it.
      const script = `mount -t tmpfs -o nr_inodes=2 tmpfs "$0"; "$@" || code=$?; ls "$0"; exit $code`;
      const { out, err, code } = await machine.run([
        ...["unshare", "--mount", "env", `TMPDIR=${small}`, "sh", "-uc", script, small],
        ...[...check, "--from", machine.folder],
      ]);
      expect([code, out]).toEqual([2, `installed: ${FORMER}\n`]);
      expect(err).toMatch(/^fiscald: \S+small cannot be written to: ENOSPC.+TMPDIR may name/s);
    },
  );

  test("watches for seconds alone: what would have no end is refused before anything is looked at", async () => {
    for (const typed of ["10s", "1m", "Infinity", "-5", "1e1", "601", ""]) {
      const { out, err, code } = await update("/dev/null", "--watch-seconds", typed);
      const why = expect.stringContaining("It takes seconds from 0 to 600.");
      expect([typed, code, out, err]).toEqual([typed, 2, "", why]);
    }
  });

  test("sends to the package where that is what is installed", async () => {
    const archive = await pack("9.9.9", gatewayCalled("9.9.9"));
    placeScript(inRoot("usr/bin/fiscald"), gatewayCalled(FORMER));
    rmSync(inRoot("usr/local/bin/fiscald"));
    const line = "apt install ./fiscald_<version>_<architecture>.deb";
    for (const asked of [[archive], [archive, "--check"]]) {
      expect(await update(...asked)).toMatchObject({
        ...{ code: 2, out: "", err: expect.stringContaining(`on this machine: ${line}\n`) },
      });
    }
    rmSync(inRoot("etc/fiscald/release.pub"));
    expect((await update(archive)).err).toContain(`Without one, ${line} upgrades too\n`);
  });

  test("with --check changes nothing, and looks for newer versions where it is told", async () => {
    const archive = await pack("9.9.9", gatewayCalled("9.9.9"));
    expect((await update(archive, "--check")).out).toStartWith("9.9.9 can be installed");
    const list = join(machine.folder, "SHA256SUMS");
    writeFileSync(list, "");
    await signFile(list, machine.secret, "fiscald 9.9.9 SHA256SUMS");
    const found = `newer: 9.9.9, ${machine.folder}/fiscald-9.9.9-linux-${ARCH}.tar.gz\n`;
    const { out } = await update("--check", "--from", machine.folder);
    expect(out).toBe(`installed: ${FORMER}\n${found}`);
    await signFile(list, machine.secret, `fiscald ${FORMER} SHA256SUMS`);
    expect((await update("--check", "--from", machine.folder)).out).toContain("nothing newer");
    expect(await installed()).toContain(FORMER);
    rmSync(inRoot("usr/local/bin/fiscald"));
    expect(await update(archive, "--check")).toMatchObject({
      ...{
        code: 0,
        out: "9.9.9 is signed by the owner of the key; no fiscald is installed here\n",
      },
    });
  });
});
