import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { EXIT } from "../src/cli/exit.ts";
import { asRoot, hasPrograms } from "../src/e2e/harness/other-runtime.ts";
import { runToEnd } from "../src/e2e/harness/run-to-end.ts";
import { lockStateDirectory } from "../src/platform/lock.ts";
import { SYSTEMD } from "./testing/installer-folder.ts";
import { installerForEachTest } from "./testing/installer-for-each-test.ts";

const machine = installerForEachTest();

/** The settings of a unit, by name. */
function unitOf(name: string): Record<string, string[]> {
  const unit = readFileSync(join(SYSTEMD, `${name}.service`), "utf8");
  const found: Record<string, string[]> = {};
  for (const [, key = "", value = ""] of unit.matchAll(/^(\w+)=(.*)$/gm)) {
    found[key] = [...(found[key] ?? []), value];
  }
  return found;
}

describe("the installer", () => {
  test("puts executable, unit and state directory where the unit expects them", async () => {
    const { out, err, code } = await machine.installHere();
    expect(err).toBe("");
    expect(code).toBe(0);
    expect(out).toContain("installed fiscald 1.0.0");
    expect(statSync(machine.at("usr/local/bin/fiscald")).mode & 0o777).toBe(0o755);
    // Under another supervisor than systemd the service's user makes neither.
    for (const folder of ["var/lib/fiscald", "var/lib/fiscald-starts"]) {
      expect(statSync(machine.at(folder)).mode & 0o777).toBe(0o700);
    }
    const unit = readFileSync(machine.at("etc/systemd/system/fiscald.service"), "utf8");
    expect(unit).toContain("ExecStart=/usr/local/bin/fiscald serve\n");
    expect(unit).toContain("StateDirectory=fiscald fiscald-starts\n");
  });

  test("says in the folder of starts that a former version ran without one", async () => {
    await machine.installHere();
    const starts = machine.at("var/lib/fiscald-starts");
    expect(readdirSync(starts)).toEqual([]);
    rmSync(starts, { recursive: true });
    writeFileSync(machine.at("var/lib/fiscald/fiscald.db"), "a shop");
    machine.placeExecutable("1.1.0");
    expect(await machine.installHere()).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(join(starts, "starts"), "utf8")).toBe("begun\n");
  });

  test("has the unit keep the state private and start it again, but for wrong settings", () => {
    const unit = readFileSync(join(SYSTEMD, "fiscald.service"), "utf8");
    const valuesOf = (name: string) =>
      [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value]) => value);
    expect(valuesOf("UMask")).toEqual(["0077"]);
    expect(valuesOf("StateDirectoryMode")).toEqual(["0700"]);
    expect(valuesOf("Restart")).toEqual(["always"]);
    expect(valuesOf("StartLimitIntervalSec")).toEqual(["0"]);
    expect(valuesOf("RestartPreventExitStatus")).toEqual([String(EXIT.usage)]);
    expect(valuesOf("LimitCORE")).toEqual(["0"]);
  });

  test("leaves all to the service that it needs, whatever umask root's shell has", async () => {
    const closed = 'umask 077; exec sh "$@"';
    const install = (...words: readonly string[]) => {
      const script = join(machine.unpacked, "install.sh");
      return machine.run(["sh", "-c", closed, "sh", script, "--root", machine.root, ...words]);
    };
    writeFileSync(join(machine.unpacked, "release.pub"), "untrusted comment: key\n");
    expect(await install()).toMatchObject({ code: 0, err: "" });
    expect(await install("--replicate", "/mnt/nas/fiscald")).toMatchObject({ code: 0, err: "" });
    const modeOf = (path: string) => (statSync(machine.at(path)).mode & 0o777).toString(8);
    const folders = ["etc", "etc/fiscald", "etc/systemd/system", "usr/local/bin", "mnt/nas"];
    expect(folders.map(modeOf)).toEqual(folders.map(() => "755"));
    const secrets = ["var/lib/fiscald", "mnt/nas/fiscald", "etc/fiscald/replicate.env"];
    expect(secrets.map(modeOf)).toEqual(["700", "700", "600"]);
    // It may hold keys too, and Litestream reads it as the service's user.
    expect(modeOf("etc/fiscald/litestream.yml")).toBe("640");
  });

  test("takes from others what an earlier version left open to them, and Litestream's settings as it is told a place", async () => {
    const modesOf = (paths: readonly string[]) =>
      paths.map((path) => (statSync(machine.at(path)).mode & 0o777).toString(8));
    const settings = ["etc/fiscald/litestream.yml", "etc/fiscald/litestream.yml.old"];
    const folders = ["var/lib/fiscald", "var/lib/fiscald-starts"];
    await machine.installHere();
    for (const place of ["s3://shop/fiscald", "/mnt/nas/fiscald"]) {
      await machine.installHere("--replicate", place);
    }
    const open = () => {
      for (const path of settings) chmodSync(machine.at(path), 0o644);
      for (const path of folders) chmodSync(machine.at(path), 0o755);
    };
    open();
    await machine.installHere("--replicate", "/mnt/nas/fiscald");
    expect(modesOf(settings)).toEqual(["640", "640"]);
    open();
    // The package does the same.
    const steps = `root=$1 state=$1/var/lib/fiscald user=; . ./steps.sh; keep_private`;
    const upgrades = [
      () => machine.installHere(),
      () => machine.run(["sh", "-euc", steps, "sh", machine.root]),
    ];
    for (const upgrade of upgrades) {
      open();
      expect(await upgrade()).toMatchObject({ code: 0, err: "" });
      expect(modesOf([...settings, ...folders])).toEqual(["640", "640", "700", "700"]);
    }
  });

  test("finds what lies beside it wherever root's shell looks for folders", async () => {
    const [folder, root] = [join(machine.folder, "a place"), join(machine.folder, "the root")];
    mkdirSync(folder);
    cpSync(machine.unpacked, join(folder, "of it"), { recursive: true });
    const line = 'cd "$1" && exec sh "of it/install.sh" --root "$2"';
    const { code, err } = await machine.run(["sh", "-c", line, "sh", folder, root], {
      CDPATH: folder,
    });
    expect([code, err]).toEqual([0, ""]);
    expect(existsSync(join(root, "usr/local/bin/fiscald"))).toBe(true);
  });

  test("puts the controller there when it is asked to, and no gateway", async () => {
    const { out, err, code } = await machine.installHere("--controller");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("installed fiscald 1.0.0");
    expect(readdirSync(machine.at("etc/systemd/system"))).toEqual(["fiscald-controller.service"]);
    expect(existsSync(machine.at("var/lib/fiscald"))).toBe(false);
    const settings = machine.at("etc/fiscald/controller.env");
    expect(statSync(settings).mode & 0o777).toBe(0o600);
    expect(unitOf("fiscald-controller").EnvironmentFile).toEqual(["/etc/fiscald/controller.env"]);
    writeFileSync(settings, "FISCALD_CONTROLLER_ID=bar\n");
    machine.placeExecutable("1.1.0");
    await machine.installHere("--controller");
    expect(readFileSync(settings, "utf8")).toBe("FISCALD_CONTROLLER_ID=bar\n");
  });

  test("goes back to an older version when it is asked to, and not otherwise", async () => {
    for (const [version, before] of [
      ["1.9.0", "1.10.0"],
      ["1.10.0-rc.2", "1.10.0"],
    ] as const) {
      machine.placeExecutable(before);
      expect((await machine.installHere("--downgrade")).code).toBe(0);
      machine.placeExecutable(version);
      const { code, out, err } = await machine.installHere();
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain(`${before} is here already, which is newer, `);
      const asked = await machine.installHere("--downgrade");
      expect([asked.code, asked.out]).toEqual([
        0,
        expect.stringContaining(`downgraded fiscald ${before} to fiscald ${version}`),
      ]);
      machine.placeExecutable(before);
      expect((await machine.installHere()).out).toContain(
        `upgraded fiscald ${version} to fiscald ${before}`,
      );
    }
  });

  test("has the database copied elsewhere, and keeps what a person changes of it", async () => {
    const replicate = (place: string) => machine.installHere("--replicate", place);
    const config = () => readFileSync(machine.at("etc/fiscald/litestream.yml"), "utf8");
    const dropIn = machine.at("etc/systemd/system/fiscald-replicate.service.d/place.conf");
    expect((await replicate("s3://shop/fiscald")).err).toContain("run ./install.sh first");
    await machine.installHere();
    for (const place of ["shop", "ftp://shop/x", "/var/lib/fiscald/copy", "/mnt/a b", ""]) {
      expect([place, (await replicate(place)).code]).toEqual([place, 1]);
    }
    // What its unit sees of these is none of it, or another folder of that name.
    for (const place of ["/home/shop/copy", "/tmp/copy", "/root"]) {
      const { code, err } = await replicate(place);
      expect([place, code, err]).toEqual([place, 1, expect.stringContaining("sees nothing of")]);
    }
    for (const setting of ["ProtectHome", "PrivateTmp"]) {
      expect(unitOf("fiscald-replicate")[setting]).toEqual(["yes"]);
    }
    expect(existsSync(machine.at("etc/fiscald"))).toBe(false);
    const { code, out, err } = await replicate("s3://shop/fiscald");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("/etc/fiscald/replicate.env");
    expect(config()).toContain("- url: s3://shop/fiscald\n");
    expect(existsSync(dropIn)).toBe(false);
    const env = machine.at("etc/fiscald/replicate.env");
    expect(statSync(env).mode & 0o777).toBe(0o600);
    expect(unitOf("fiscald-replicate").EnvironmentFile).toEqual(["-/etc/fiscald/replicate.env"]);
    writeFileSync(env, "LITESTREAM_ACCESS_KEY_ID=shop\n");
    writeFileSync(machine.at("etc/fiscald/litestream.yml"), config().replace("72h", "240h"));
    await replicate("s3://shop/fiscald");
    expect([config().includes("240h"), readFileSync(env, "utf8")]).toEqual([
      true,
      "LITESTREAM_ACCESS_KEY_ID=shop\n",
    ]);
    await replicate("/mnt/nas/fiscald");
    expect(config()).toContain("- path: /mnt/nas/fiscald\n");
    expect(readFileSync(machine.at("etc/fiscald/litestream.yml.old"), "utf8")).toContain("240h");
    expect(readFileSync(dropIn, "utf8")).toBe("[Service]\nReadWritePaths=/mnt/nas/fiscald\n");
    expect(statSync(machine.at("mnt/nas/fiscald")).mode & 0o777).toBe(0o700);
    const { AssertPathExists = [] } = unitOf("fiscald-replicate");
    const marks = AssertPathExists.map((path) => readFileSync(machine.at(path.slice(1)), "utf8"));
    expect(marks).toEqual(["/mnt/nas/fiscald\n"]);
    // As on a disk without owners, which root alone may write to: there is a folder in the place of what is tried.
    const before = [config(), readFileSync(dropIn, "utf8"), readdirSync(machine.at("etc/fiscald"))];
    mkdirSync(machine.at("mnt/usb/.fiscald-trial"), { recursive: true });
    const closed = await replicate("/mnt/usb");
    expect([closed.code, closed.err]).toEqual([
      1,
      expect.stringContaining("mount it with the option uid=fiscald"),
    ]);
    expect([
      config(),
      readFileSync(dropIn, "utf8"),
      readdirSync(machine.at("etc/fiscald")),
    ]).toEqual(before);
    // Where it would copy to the former place, which the unit no longer opens.
    for (const place of ["/mnt/nas/fis", "s3://shop10", "s3://shop1", "/mnt/nas"]) {
      await replicate(place);
      expect(config()).toMatch(new RegExp(`- (path|url): ${place}\\n`));
    }
    await replicate("off");
    expect(readdirSync(machine.at("etc/systemd/system"))).toEqual(["fiscald.service"]);
  });

  test("upgrades gateway and controller together where both are, by whichever is asked", async () => {
    await machine.installHere();
    writeFileSync(machine.at("var/lib/fiscald/fiscald.db"), "books of 1.0.0");
    const { code } = await machine.installHere("--controller");
    expect(code).toBe(0);
    const units = readdirSync(machine.at("etc/systemd/system")).filter((name) =>
      name.includes("."),
    );
    expect(units.sort()).toEqual([
      ...["fiscald-controller.service", "fiscald.service", "multi-user.target.wants"],
    ]);
    expect(existsSync(machine.at("var/lib/fiscald/before-upgrade/fiscald.db"))).toBe(true);
    writeFileSync(machine.at("etc/systemd/system/fiscald-controller.service"), "older");
    await machine.installHere();
    expect(
      readFileSync(machine.at("etc/systemd/system/fiscald-controller.service"), "utf8"),
    ).toContain("ExecStart=/usr/local/bin/fiscald controller\n");
  });

  test("has the controller's unit as confined as the gateway's", () => {
    const [gateway, controller] = [unitOf("fiscald"), unitOf("fiscald-controller")];
    const OWN = [
      ...["Description", "EnvironmentFile", "ExecStart", "ExecStartPre", "Environment"],
      "ExecReload",
      ...["StateDirectory", "WorkingDirectory", "CacheDirectory"],
    ];
    for (const name of OWN) {
      delete gateway[name];
      delete controller[name];
    }
    expect(controller).toEqual(gateway);
    expect(Object.keys(controller)).toContain("ProtectSystem");
  });

  test("hides nothing of /proc that the gateway reads", () => {
    expect(unitOf("fiscald").ProcSubset).toEqual(["pid"]);
    const files = ["src", "drivers", "db"].flatMap((name) =>
      [...new Bun.Glob(`${name}/**/*.ts`).scanSync({ cwd: join(SYSTEMD, "..") })].filter(
        (path) => !/\.test\.ts$|\/(testing|e2e)\//.test(path),
      ),
    );
    const readers = files.filter((path) =>
      /["'`]\/proc\/(?!self\/)/.test(readFileSync(join(SYSTEMD, "..", path), "utf8")),
    );
    // The unit hands it on what it hides there.
    expect(readers).toEqual(["src/platform/boot.ts"]);
    expect(unitOf("fiscald").Environment).toContain("BOOT_ID=%b");
  });

  test("has units that systemd reads without a fault and counts as well confined", async () => {
    if (!hasPrograms("the units' confinement", ["systemd-analyze"])) return;
    const units = readdirSync(SYSTEMD).filter((name) => name.endsWith(".service"));
    expect(units.sort()).toEqual([
      ...["fiscald-controller.service", "fiscald-go-back.service"],
      ...["fiscald-replicate.service", "fiscald.service"],
    ]);
    for (const name of units) {
      // An exposure of 1.5, in tenths. What goes back to the files of before writes them as root.
      const most = name === "fiscald-go-back.service" ? 22 : 15;
      const options = [`--threshold=${most}`, "--offline=true", "--no-pager", join(SYSTEMD, name)];
      const { out, err, code } = await runToEnd(["systemd-analyze", "security", ...options], {
        env: { PATH: "/usr/bin:/bin" },
      });
      expect([code, err]).toEqual([0, ""]);
      expect(out).toContain(`exposure level for ${name}`);
    }
  });

  test("names in the sample of settings what the controller reads, and no value", async () => {
    const sample = readFileSync(join(SYSTEMD, "controller.env"), "utf8");
    const command = readFileSync(join(SYSTEMD, "../src/cli/controller.ts"), "utf8");
    const variables = (text: string) => [...new Set(text.match(/FISCALD_CONTROLLER_[A-Z]+/g))];
    expect(variables(sample).sort()).toEqual(variables(command).sort());
    for (const line of sample.split("\n")) expect(line).toMatch(/^(#.*)?$/);
  });

  test("takes DESTDIR for the root as well", async () => {
    const { code } = await machine.install([], { DESTDIR: machine.root });
    expect(code).toBe(0);
    expect(existsSync(machine.at("usr/local/bin/fiscald"))).toBe(true);
  });

  test("run again upgrades, keeps the state, and saves the database as it was", async () => {
    await machine.installHere();
    const state = machine.at("var/lib/fiscald");
    writeFileSync(join(state, "fiscald.db"), "books of 1.0.0");
    writeFileSync(join(state, "fiscald.toml"), "# mine\n");
    machine.placeExecutable("1.1.0");
    const { out, code } = await machine.installHere();
    expect(code).toBe(0);
    expect(out).toContain("upgraded fiscald 1.0.0 to fiscald 1.1.0");
    expect(readFileSync(machine.at("usr/local/bin/fiscald"), "utf8")).toContain("1.1.0");
    expect(readFileSync(join(state, "fiscald.toml"), "utf8")).toBe("# mine\n");
    expect(readFileSync(join(state, "fiscald.db"), "utf8")).toBe("books of 1.0.0");
    expect(readFileSync(join(state, "before-upgrade/fiscald.db"), "utf8")).toBe("books of 1.0.0");
  });

  test("keeps one saved database, the newest", async () => {
    await machine.installHere();
    const state = machine.at("var/lib/fiscald");
    for (const [index, books] of ["first", "second"].entries()) {
      writeFileSync(join(state, "fiscald.db"), books);
      machine.placeExecutable(`1.1.${index}`);
      await machine.installHere();
    }
    expect(readFileSync(join(state, "before-upgrade/fiscald.db"), "utf8")).toBe("second");
    expect(readdirSync(state).sort()).toEqual(["before-upgrade", "fiscald.db"]);
  });

  test("keeps what an older version works on where that comes back, or the same comes again", async () => {
    await machine.installHere();
    const state = machine.at("var/lib/fiscald");
    const saved = () => readFileSync(join(state, "before-upgrade/fiscald.db"), "utf8");
    writeFileSync(join(state, "fiscald.db"), "books of 1.0.0");
    machine.placeExecutable("1.1.0");
    await machine.installHere();
    writeFileSync(join(state, "fiscald.db"), "books of 1.1.0");
    await machine.installHere();
    expect(saved()).toBe("books of 1.0.0");
    machine.placeExecutable("1.0.0");
    const { out, code } = await machine.installHere("--downgrade");
    expect([code, saved()]).toEqual([0, "books of 1.0.0"]);
    expect(out).toContain(
      `if it refuses the one that is here: ${state}/before-upgrade/fiscald.db\n`,
    );
    expect(readFileSync(join(state, "before-downgrade/fiscald.db"), "utf8")).toBe("books of 1.1.0");
  });

  test("leaves what it came to in the place of what an earlier update came to", async () => {
    await machine.installHere();
    machine.placeExecutable("1.1.0");
    await machine.installHere();
    const told = () => JSON.parse(machine.read("usr/local/lib/fiscald/update.json"));
    const about = { from: "1.0.0", to: "1.1.0", reason: null, databaseRestored: false };
    expect(told()).toMatchObject({ ...about, outcome: "updated" });
    const wentBack = JSON.stringify({ ...about, outcome: "went_back" });
    writeFileSync(machine.at("usr/local/lib/fiscald/update.json"), wentBack);
    await machine.installHere();
    expect(told()).toMatchObject({ outcome: "went_back" });
    machine.placeExecutable("1.0.0");
    await machine.installHere("--downgrade");
    expect(told()).toMatchObject({ from: "1.1.0", to: "1.0.0", outcome: "updated" });
  });

  test("saves a database behind a link with the log that lies beside it", async () => {
    await machine.installHere();
    const [state, disk] = [machine.at("var/lib/fiscald"), join(machine.folder, "disk")];
    mkdirSync(disk);
    writeFileSync(join(disk, "books.db"), "books");
    writeFileSync(join(disk, "books.db-wal"), "newest sales");
    symlinkSync(join(disk, "books.db"), join(state, "fiscald.db"));
    machine.placeExecutable("1.1.0");
    expect((await machine.installHere()).code).toBe(0);
    const saved = (name: string) => readFileSync(join(state, "before-upgrade", name), "utf8");
    expect([saved("fiscald.db"), saved("fiscald.db-wal")]).toEqual(["books", "newest sales"]);
  });

  test.each(asRoot("an upgrade on a small disk"))(
    "leaves a disk that is too small as it was, as %s",
    async () => {
      await machine.installHere();
      machine.placeExecutable("1.1.0");
      const script = [
        ...[
          'mount -t tmpfs -o size=150m tmpfs "$1"',
          'head -c 25000000 /dev/zero > "$1/fiscald.db"',
        ],
        ...['code=0; sh "$2" --root "$3" || code=$?', 'ls "$1"; exit $code'],
      ].join("\n");
      const about = [
        machine.at("var/lib/fiscald"),
        join(machine.unpacked, "install.sh"),
        machine.root,
      ];
      const { out, err, code } = await runToEnd([
        ...["unshare", "--mount", "sh", "-euc", script, "sh", ...about],
      ]);
      expect([code, out]).toEqual([1, "fiscald.db\n"]);
      expect(err).toContain(`the database is not saved: ${about[0]} needs 135 MB of room`);
      expect(readFileSync(machine.at("usr/local/bin/fiscald"), "utf8")).toContain("1.0.0");
    },
  );

  test("names what updates that went back have left where there is no room", async () => {
    await machine.installHere();
    const state = machine.at("var/lib/fiscald");
    writeFileSync(join(state, "fiscald.db"), "books");
    const left = ["failed-update", "failed-update-20261101T101500"].map((name) =>
      join(state, name),
    );
    for (const path of left) mkdirSync(path);
    machine.placeExecutable("1.1.0");
    machine.script("bin/stat", `[ "$1" != -f ] || { echo 9 4096; exit; }`, 'exec /bin/stat "$@"');
    const { code, err } = await machine.installHere();
    expect([code, err]).toEqual([1, expect.stringContaining(` have left ${left.join(" ")}: `)]);
  });

  test("leaves nothing of a copy of the database that fails", async () => {
    await machine.installHere();
    const state = machine.at("var/lib/fiscald");
    writeFileSync(join(state, "fiscald.db"), "books");
    machine.placeExecutable("1.1.0");
    const tools = join(machine.folder, "tools");
    mkdirSync(tools);
    const full = 'case $3 in *before-upgrade.new*) echo half > "$3"; exit 1 ;; esac';
    writeFileSync(join(tools, "cp"), `#!/bin/sh\n${full}\nexec /bin/cp "$@"\n`, { mode: 0o755 });
    const { code } = await machine.install(["--root", machine.root], {
      PATH: `${tools}:/usr/bin:/bin`,
    });
    expect([code, readdirSync(state)]).toEqual([1, ["fiscald.db"]]);
    expect(readFileSync(machine.at("usr/local/bin/fiscald"), "utf8")).toContain("1.0.0");
  });

  test("is removed again, and what it has stored only when that is said", async () => {
    writeFileSync(join(machine.unpacked, "release.pub"), "key");
    await machine.installHere();
    await machine.installHere("--controller");
    writeFileSync(machine.at("var/lib/fiscald/fiscald.db"), "books");
    const removed = await machine.installHere("--uninstall");
    expect([removed.code, removed.err]).toEqual([0, ""]);
    expect(removed.out).toEndWith(
      `is in ${machine.at("var/lib/fiscald")}, settings in ${machine.at("etc/fiscald")}\n`,
    );
    const left = () => [...new Bun.Glob("**/*").scanSync({ cwd: machine.root })].sort();
    expect(left()).toEqual([
      ...["etc/fiscald/controller.env", "etc/fiscald/release.pub", "var/lib/fiscald/fiscald.db"],
    ]);
    expect((await machine.installHere("--purge")).err).toContain("belongs to --uninstall");
    const purged = await machine.installHere("--uninstall", "--purge");
    expect([purged.code, left()]).toEqual([0, []]);
    // It names no folder that is not there.
    rmSync(join(machine.unpacked, "release.pub"));
    await machine.installHere();
    const bare = await machine.installHere("--uninstall");
    expect(bare.out).toEndWith(`what it has stored is in ${machine.at("var/lib/fiscald")}\n`);
    rmSync(machine.at("var/lib/fiscald"), { recursive: true });
    expect((await machine.installHere("--uninstall")).out).toContain("nothing that it has");
  });

  test("takes neither database nor files from a gateway that no systemd runs", async () => {
    await machine.installHere();
    const state = machine.at("var/lib/fiscald");
    writeFileSync(join(state, "fiscald.db"), "books");
    const lock = lockStateDirectory(state);
    machine.placeExecutable("1.1.0");
    for (const words of [[], ["--downgrade"], ["--uninstall"], ["--uninstall", "--purge"]]) {
      const { code, err, out } = await machine.installHere(...words);
      expect([words, code, out, err]).toEqual([
        ...[words, 1, ""],
        expect.stringContaining(`process ${process.pid} works on ${state}: end it first; `),
      ]);
      expect(machine.read("usr/local/bin/fiscald")).toContain("1.0.0");
      expect(existsSync(join(state, "before-upgrade"))).toBe(false);
    }
    // As a power cut leaves it: the number is a stranger's by now.
    lock.release();
    writeFileSync(join(state, "fiscald.pid"), `${process.pid}\n`);
    expect(await machine.installHere()).toMatchObject({ code: 0, err: "" });
  });

  test("is purged with a database that a link has on another disk, or says where that is left", async () => {
    const disk = join(machine.folder, "disk");
    const [linked, books] = [machine.at("var/lib/fiscald/fiscald.db"), join(disk, "books.db")];
    mkdirSync(disk);
    for (const isThere of [true, false]) {
      await machine.installHere();
      symlinkSync(books, linked);
      if (isThere) for (const part of ["", "-wal", "-shm"]) writeFileSync(`${books}${part}`, "");
      const { code, out } = await machine.installHere("--uninstall", "--purge");
      expect([code, readdirSync(disk), existsSync(machine.at("var/lib/fiscald"))]).toEqual([
        ...[0, [], false],
      ]);
      // As where the disk is not in.
      const left = `removed fiscald and what it has stored, but for ${books}, which could not be removed\n`;
      expect(out).toBe(isThere ? "removed fiscald and all that it has stored\n" : left);
    }
  });

  test.each([
    ["one that nobody has set up", "http://192.0.2.7:8080/setup#code=ABCD", true],
    ["a state that was kept, set up", "http://192.0.2.7:8080/", false],
    ["one whose addresses are not known", "", true],
  ])("tells how to set the shop up on %s", async (_, address, isTold) => {
    // In the place of what becomes another user, and of the executable.
    const [bin, program] = [join(machine.folder, "bin"), join(machine.folder, "program")];
    for (const [path, line] of [
      [join(bin, "setpriv"), 'shift 5; exec "$@"'],
      [join(bin, "sudo"), "exit 1"],
      [
        program,
        `[ "$*" = "address --qr --state-dir ${machine.folder}" ] && printf '%s\\n' '${address}'`,
      ],
    ] as const) {
      writeFileSync(path, `#!/bin/sh\n${line}\n`);
      chmodSync(path, 0o755);
    }
    // As install.sh reads them.
    const read = `. ${SYSTEMD}/steps.sh; . ${SYSTEMD}/under-way.sh`;
    const script = `root= state=${machine.folder} user=shop home=${machine.folder}; ${read}; tell_next ${program}`;
    const { out, code } = await runToEnd(["sh", "-eu", "-c", script], {
      env: { PATH: `${bin}:/usr/bin:/bin` },
    });
    const told = `now set the shop up: sudo -u shop fiscald setup --state-dir ${machine.folder}\n`;
    expect(code).toBe(0);
    expect(out).toBe(`${address === "" ? "" : `${address}\n`}${isTold ? told : ""}`);
  });

  test("says what is wrong with a system, and touches nothing", async () => {
    const tools = join(machine.folder, "tools");
    mkdirSync(tools);
    const says = async (tool: string, text: string): Promise<string> => {
      writeFileSync(join(tools, tool), `#!/bin/sh\necho ${text}\n`, { mode: 0o755 });
      const { err, code } = await machine.install(["--root", machine.root], {
        PATH: `${tools}:/usr/bin:/bin`,
      });
      expect([code, existsSync(machine.root)]).toEqual([1, false]);
      rmSync(join(tools, tool));
      return err;
    };
    const foreign = process.arch === "x64" ? 0xb7 : 0x3e;
    const head = Buffer.alloc(20);
    head.write("\x7fELF", "latin1");
    head[18] = foreign;
    expect(await says("uname", "FreeBSD")).toContain("this is FreeBSD");
    writeFileSync(join(machine.unpacked, "fiscald"), head);
    expect((await machine.installHere()).err).toMatch(
      /this archive is for (arm64|x64); this machine takes/,
    );
    expect(await says("uname", "Linux")).toContain("there is no fiscald for Linux processors");
    machine.placeExecutable("1.0.0");
    writeFileSync(join(machine.unpacked, "SHA256SUMS"), `${"0".repeat(64)}  fiscald\n`);
    expect((await machine.installHere()).err).toContain("damaged on the way");
    rmSync(join(machine.unpacked, "SHA256SUMS"));
    const old = "migrate) echo version GLIBC_2.34 not found; exit 1 ;; version) echo fiscald 1 ;;";
    writeFileSync(join(machine.unpacked, "fiscald"), `#!/bin/sh\ncase $1 in ${old} esac\n`);
    expect((await machine.installHere()).err).toContain(
      "to have libstdc++: version GLIBC_2.34 not found",
    );
    expect(existsSync(machine.root)).toBe(false);
  });

  test("changes nothing when the executable does not run on the machine", async () => {
    writeFileSync(join(machine.unpacked, "fiscald"), "#!/bin/sh\nexit 1\n");
    const { err, code } = await machine.installHere();
    expect(code).toBe(1);
    expect(err).toContain("does not run on this machine");
    expect(existsSync(machine.root)).toBe(false);
  });

  test("finds what is root's where a shell of plain su has the search path of a user", async () => {
    machine.script("bin/id", "echo 0");
    machine.script("bin/dpkg-query", "exit 1");
    // It comes so far, and not beyond: this is no folder that stands for a machine.
    machine.script("fiscald", "exit 1");
    const { code, err } = await machine.install([], {
      PATH: `${join(machine.folder, "bin")}:/usr/local/bin:/usr/bin:/bin`,
    });
    expect([code, err]).toEqual([
      ...[1, expect.stringContaining("the executable does not run on this machine")],
    ]);
  });

  test("tries the executable beside itself, whatever folders for temporary files forbid", async () => {
    const mapped = `case $BUN_TMPDIR in "${machine.unpacked}"/*) ;; *) no_map ;; esac`;
    const no_map = "no_map() { echo failed to map segment; exit 3; }";
    machine.placeExecutable("1.0.0", no_map, `[ $1 != migrate ] || ${mapped}`);
    const { out, err, code } = await machine.installHere();
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("installed fiscald 1.0.0");
    expect(readdirSync(machine.unpacked).filter((name) => name.includes("trial"))).toEqual([]);
  });

  test("says what keeps the executable from running, and of the system only what that is", async () => {
    const full = "echo no room in /var; exit 3";
    machine.placeExecutable("1.0.0", `[ $1 != migrate ] || { ${full}; }`);
    const { err, code } = await machine.installHere();
    expect([code, err]).toEqual([
      1,
      "install.sh: fiscald does not run on this machine: no room in /var\n",
    ]);
    expect(existsSync(machine.root)).toBe(false);
  });

  test("refuses an option it does not know", async () => {
    const { err, code } = await machine.install(["--rot", machine.root]);
    expect(code).toBe(1);
    expect(err).toContain("--rot");
    expect(existsSync(machine.root)).toBe(false);
  });

  test("tells what it does when asked", async () => {
    const { out, code } = await machine.install(["--help"]);
    expect(code).toBe(0);
    expect(out).toContain("--root DIR");
  });
});
