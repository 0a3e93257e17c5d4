/**
 * What installer and package do with services, on a folder that stands for a machine: a script in the
 * place of systemctl notes what it is told.
 */

import { beforeEach, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Ended } from "../src/e2e/harness/run-to-end.ts";
import { lockStateDirectory } from "../src/platform/lock.ts";
import { installerForEachTest } from "./testing/installer-for-each-test.ts";

const machine = installerForEachTest(join(import.meta.dir, "release/debian"));
/** What programs were called with, a line each. */
const calls = (): string => join(machine.folder, "calls");

beforeEach(() => {
  // A folder has no systemd, no udev and no user of its own.
  const lines = "has_systemd() { true; }\napply_rules() { :; }\ntell_next() { echo next; }\n";
  appendFileSync(join(machine.unpacked, "steps.sh"), lines);
  systemctl();
  script("deb-systemd-invoke", "exit 0");
  script("deb-systemd-helper", "exit 0");
});

/** A program that notes how it was called before it does the lines. */
function script(name: string, ...lines: readonly string[]): void {
  machine.script(`bin/${name}`, `echo "${name} $*" >> ${calls()}`, ...lines);
}

/** The same for what starts services, all of which run. */
function systemctl(...lines: readonly string[]): void {
  const isUp = `[ "$1 $2" != "show --property=ActiveState,SubState" ] || exec echo ActiveState=active`;
  script("systemctl", ...lines, isUp);
}

/**
 * The same, but systemd says that of a service.
 * @param look ActiveState, SubState and the type of its job, if it has one, with blanks between
 */
function systemctlSays(service: string, look: string, ...lines: readonly string[]): void {
  const [active = "", sub = "", job] = look.split(" ");
  systemctl(
    `case "$*" in "show --property=ActiveState,SubState ${service}")`,
    `  printf 'ActiveState=${active}\\nSubState=${sub}\\n'; exit ;;`,
    `"list-jobs --plain --no-legend ${service}.service")`,
    `  ${job === undefined ? "" : `echo 89 ${service}.service ${job} running;`} exit ;; esac`,
    ...lines,
  );
}

const run = (words: readonly string[]): Promise<Ended> =>
  machine.run(words, { DPKG_ROOT: machine.root });
/** What services were told since the last look. */
function told(verb: string): string[] {
  const lines = existsSync(calls()) ? readFileSync(calls(), "utf8").trim().split("\n") : [];
  return lines.filter((line) => line.split(" ")[1] === verb);
}
function forget(): void {
  writeFileSync(calls(), "");
}

describe("an upgrade by install.sh", () => {
  beforeEach(async () => {
    expect((await machine.installHere()).code).toBe(0);
    writeFileSync(join(machine.root, "var/lib/fiscald/fiscald.db"), "books");
    machine.placeExecutable("1.1.0");
    forget();
  });

  test("starts the gateway again where nobody reads any more what it says", async () => {
    // The reader goes as soon as the gateway is stopped.
    systemctl(`[ "$1" != stop ] || read -r _ < ${join(machine.folder, "gone")}`);
    const line = `mkfifo ${join(machine.folder, "gone")}
      { sh ${join(machine.unpacked, "install.sh")} --root ${machine.root}; echo $? > ${join(machine.folder, "code")}; } |
      { exec <&-; echo > ${join(machine.folder, "gone")}; }`;
    await run(["sh", "-c", line]);
    expect(readFileSync(join(machine.folder, "code"), "utf8")).toBe("0\n");
    expect(told("restart")).toEqual(["systemctl restart fiscald"]);
    expect(readFileSync(join(machine.root, "usr/local/bin/fiscald"), "utf8")).toContain("1.1.0");
    expect(readFileSync(join(machine.root, "usr/local/lib/fiscald/update.lock"), "utf8")).toBe("");
  });

  test("touches and stops nothing where a folder takes no file, as on a system whose /usr is read alone", async () => {
    const [folder, state] = ["etc/udev/rules.d", "var/lib/fiscald"].map((path) => machine.at(path));
    rmSync(folder ?? "", { recursive: true });
    writeFileSync(folder ?? "", "");
    const { code, err } = await machine.installHere();
    expect([code, err]).toEqual([1, expect.stringContaining("nothing was changed")]);
    expect(err).toContain(folder ?? "");
    expect([told("stop"), told("start"), readdirSync(state ?? "")]).toEqual([
      [],
      [],
      ["fiscald.db"],
    ]);
    expect(machine.read("usr/local/bin/fiscald")).toContain("1.0.0");
  });

  test("that is ended as it starts the gateway starts it before it goes", async () => {
    systemctl('[ "$1" != restart ] || { kill -HUP $PPID; exit 1; }');
    expect((await machine.installHere()).code).toBe(130);
    expect(told("start")).toEqual(["systemctl start fiscald"]);
    expect(readFileSync(join(machine.root, "usr/local/lib/fiscald/update.lock"), "utf8")).toBe("");
  });

  test("that fails forgets a noted service that nothing starts any more", async () => {
    const lock = join(machine.root, "usr/local/lib/fiscald/update.lock");
    mkdirSync(join(lock, ".."), { recursive: true });
    writeFileSync(lock, "services=fiscald-controller\n");
    systemctl(
      'case "$2 $4" in "--property=LoadState fiscald-controller") echo masked; exit ;; esac',
      'case "$*" in *-controller*) exit 1 ;; esac',
    );
    machine.placeExecutable("1.1.0", CANNOT_MIGRATE);
    expect((await machine.installHere()).code).toBe(1);
    expect([told("start"), readFileSync(lock, "utf8")]).toEqual([["systemctl start fiscald"], ""]);
  });

  test("starts the controller too where the gateway does not start", async () => {
    await machine.installHere("--controller");
    const settings = join(machine.root, "etc/fiscald/controller.env");
    writeFileSync(settings, "FISCALD_CONTROLLER_URL=http://192.0.2.7:8080\n");
    forget();
    systemctl('[ "$1 $2" != "restart fiscald" ] || exit 1');
    const { code, err } = await machine.installHere();
    expect([code, err]).toEqual([1, expect.stringContaining("journalctl -u fiscald -n 50\n")]);
    // The next update tries it, and looks at it.
    expect(machine.read("usr/local/lib/fiscald/update.lock")).toBe("services=fiscald\n");
    expect(told("restart")).toEqual([
      ...["systemctl restart fiscald", "systemctl restart fiscald-controller"],
    ]);
  });

  test("leaves the other service off that a person has turned off", async () => {
    await machine.installHere("--controller");
    writeFileSync(
      join(machine.root, "etc/fiscald/controller.env"),
      "FISCALD_CONTROLLER_URL=http://x\n",
    );
    forget();
    systemctlSays("fiscald", "inactive dead", '[ "$*" != "is-enabled --quiet fiscald" ] || exit 1');
    expect((await machine.installHere("--controller")).code).toBe(0);
    expect([...told("restart"), ...told("enable")]).toEqual([
      ...["systemctl restart fiscald-controller", "systemctl enable --quiet fiscald-controller"],
    ]);
  });
});

describe("an install.sh", () => {
  const lock = () => machine.at("usr/local/lib/fiscald/update.lock");
  beforeEach(async () => {
    expect((await machine.installHere("--controller")).code).toBe(0);
    expect((await machine.installHere()).code).toBe(0);
    writeFileSync(machine.at("etc/fiscald/controller.env"), "FISCALD_CONTROLLER_URL=http://x\n");
    forget();
  });

  /** Words as systemd says them of a service; what happens to one that no boot would start. */
  const STATES = [
    ...["active running", "reloading reload", "refreshing refresh"],
    ...["activating start start", "activating auto-restart"],
    ...["activating auto-restart restart", "activating auto-restart-queued restart"],
    ...["inactive dead start", "failed failed restart"],
    ...["deactivating stop-watchdog", "deactivating stop-sigterm restart"],
    "deactivating stop-sigterm start",
  ].map((look) => ({ look, is: ["stopped", "started"] }));
  const ENDING = ["active running stop", "deactivating stop-sigterm stop", "activating start stop"];
  const OFF = ["inactive dead", "failed failed", "maintenance cleaning"];
  test.each([
    ...STATES,
    ...ENDING.map((look) => ({ look, is: ["stopped"] })),
    ...OFF.map((look) => ({ look, is: [] })),
  ])("of a controller that is $look: $is", async ({ look, is }) => {
    systemctlSays("fiscald-controller", look, 'case "$*" in is-enabled*controller) exit 1 ;; esac');
    expect((await machine.installHere()).code).toBe(0);
    const isToldOf = (verb: string) => told(verb).some((line) => line.endsWith("controller"));
    expect([
      ...(isToldOf("stop") ? ["stopped"] : []),
      ...(isToldOf("restart") ? ["started"] : []),
    ]).toEqual([...is]);
  });

  test("of a controller of which systemd says nothing: nothing is put in its place", async () => {
    machine.placeExecutable("1.1.0");
    systemctl('case "$*" in *=ActiveState*controller) exit 1 ;; esac');
    expect(await machine.installHere()).toMatchObject({
      ...{ code: 1, err: expect.stringContaining("does not tell whether fiscald-controller runs") },
    });
    expect(machine.read("usr/local/bin/fiscald")).not.toContain("1.1.0");
    // What it had stopped by then.
    expect([told("start"), told("restart")]).toEqual([["systemctl start fiscald"], []]);
  });

  test("leaves off what an earlier one did not start, and somebody has turned off since", async () => {
    writeFileSync(lock(), "services=fiscald-controller\n");
    systemctl(
      'case "$*" in is-enabled*controller) exit 1 ;; *=UnitFileState*controller) exec echo disabled ;;',
      "*=ActiveState*controller) exec echo ActiveState=inactive ;; esac",
    );
    expect((await machine.installHere()).code).toBe(0);
    expect([told("restart"), machine.read("usr/local/lib/fiscald/update.lock")]).toEqual([
      ...[["systemctl restart fiscald"], ""],
    ]);
  });

  /** What one has left that was killed between two versions, or before it placed the first file. */
  const LEFT = [
    {
      what: "placed files",
      leave: async () => {
        machine.placeExecutable("1.1.0");
        const kill = 'case "$*" in *.rules.new) kill -9 $PPID ;; esac';
        machine.script("bin/cp", kill, 'exec /bin/cp "$@"');
        expect((await machine.installHere()).code).toBe(137);
        machine.script("bin/cp", 'exec /bin/cp "$@"');
        expect(machine.read("usr/local/lib/fiscald/under-way")).toContain("fiscald-controller");
      },
    },
    {
      what: "stopped services",
      leave: async () => writeFileSync(lock(), "services=fiscald fiscald-controller\n"),
    },
  ];
  test.each(LEFT)(
    "leaves off what somebody is stopping, behind one that was killed as it $what",
    async ({ leave }) => {
      await leave();
      forget();
      systemctlSays(
        ...(["fiscald-controller", "deactivating stop-sigterm stop"] as const),
        'case "$*" in is-enabled*controller) exit 1 ;; esac',
      );
      expect((await machine.installHere()).code).toBe(0);
      expect([...told("start"), ...told("restart"), readFileSync(lock(), "utf8")]).toEqual([
        ...["systemctl restart fiscald", ""],
      ]);
    },
  );

  test("that fails notes alone what does not start", async () => {
    systemctl('[ "$1 $2" != "start fiscald" ] || exit 1');
    writeFileSync(machine.at("var/lib/fiscald/fiscald.db"), "books of 1.0.0");
    machine.placeExecutable("1.1.0", CANNOT_MIGRATE);
    expect((await machine.installHere()).code).toBe(1);
    expect(readFileSync(lock(), "utf8")).toBe("services=fiscald\n");
  });
});

const CANNOT_MIGRATE = 'case "$*" in *--try*) echo no such column; exit 5 ;; esac';
const CANNOT_BE_TRIED = 'case "$*" in *--try*) echo "no space left"; exit 3 ;; esac';

/** As dpkg does when a version comes. */
async function configure(
  former: string,
  version: string,
  ...lines: readonly string[]
): Promise<Ended> {
  expect((await run(["sh", "./preinst", "upgrade", former, version])).code).toBe(0);
  machine.placeExecutable(version, ...lines);
  mkdirSync(machine.at("usr/bin"), { recursive: true });
  copyFileSync(join(machine.unpacked, "fiscald"), machine.at("usr/bin/fiscald"));
  script("dpkg-query", `echo ${version}`);
  forget();
  return run(["sh", "./postinst", "configure", former]);
}
const STARTED = [
  "deb-systemd-invoke start fiscald.service",
  "deb-systemd-invoke start fiscald-controller.service",
];

describe("a new version that cannot bring the database to its schema", () => {
  const state = () => readdirSync(machine.at("var/lib/fiscald")).sort();

  test("is refused by install.sh before it takes the place of the former one", async () => {
    await machine.installHere();
    writeFileSync(machine.at("var/lib/fiscald/fiscald.db"), "books of 1.0.0");
    machine.placeExecutable("1.1.0", CANNOT_MIGRATE);
    forget();
    const { out, err, code } = await machine.installHere();
    expect([code, out]).toEqual([1, ""]);
    expect(err).toStartWith("no such column\ninstall.sh: 1.1.0 cannot bring the database to its");
    expect(machine.read("usr/local/bin/fiscald")).toContain("1.0.0");
    expect([told("start"), told("restart")]).toEqual([["systemctl start fiscald"], []]);
    expect(state()).toEqual(["before-upgrade", "fiscald.db"]);
    expect(readdirSync(machine.at("usr/local/lib/fiscald"))).toEqual(["update.lock"]);
    // Whoever goes back to an older version knows that it may refuse the database.
    machine.placeExecutable("0.9.0", CANNOT_MIGRATE);
    expect((await machine.installHere("--downgrade")).code).toBe(0);
  });

  test("is not started by the package, which tells how the former one comes back", async () => {
    mkdirSync(machine.at("var/lib/fiscald"), { recursive: true });
    writeFileSync(machine.at("var/lib/fiscald/fiscald.db"), "books of 1.0.0");
    const { err, code } = await configure("1.0.0", "1.1.0", CANNOT_MIGRATE);
    expect([code, err]).toEqual([1, expect.stringMatching(/^no such column\nthis version cannot/)]);
    expect(err).toContain("as 1.0.0 left it. Put that back: apt install ./fiscald_1.0.0_");
    expect([told("start"), state()]).toEqual([[], ["before-upgrade", "fiscald.db"]]);
    expect(readdirSync(machine.at("var/lib")).sort()).toEqual(["fiscald", "fiscald-starts"]);
    // Neither the former one nor one that can is kept from it.
    expect((await configure("1.0.0", "1.0.0", CANNOT_MIGRATE)).code).toBe(0);
    expect(told("start")).toEqual(STARTED);
    expect((await configure("1.0.0", "1.1.1")).code).toBe(0);
    expect(told("start")).toEqual(STARTED);
  });
});

describe("a new version that cannot be tried on a copy of the database", () => {
  beforeEach(() => {
    mkdirSync(machine.at("var/lib/fiscald"), { recursive: true });
    writeFileSync(machine.at("var/lib/fiscald/fiscald.db"), "books of 1.0.0");
  });

  test("is started by the package, which says what was wrong", async () => {
    const { err, code } = await configure("1.0.0", "1.1.0", CANNOT_BE_TRIED);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^no space left\nit is started all the same; .*\/before-upgrade\n$/),
    ]);
    expect(told("start")).toEqual(STARTED);
    expect(readdirSync(machine.at("var/lib")).sort()).toEqual(["fiscald", "fiscald-starts"]);
  });

  test("is refused by install.sh, which starts the former one and does not say that it cannot", async () => {
    await machine.installHere();
    machine.placeExecutable("1.1.0", CANNOT_BE_TRIED);
    forget();
    const { err, code } = await machine.installHere();
    expect([code, err]).toEqual([
      1,
      "no space left\ninstall.sh: whether 1.1.0 brings the database to its schema could not be tried; " +
        "nothing was changed\n",
    ]);
    expect(machine.read("usr/local/bin/fiscald")).toContain("1.0.0");
    expect([told("start"), told("restart")]).toEqual([["systemctl start fiscald"], []]);
  });

  // An executable takes more than a hundred megabytes.
  test("is no copy of the package's executable, which the service may read", async () => {
    const from = machine.at("usr/bin/fiscald");
    const where = `case "$*" in *--try*) [ "$0" = ${from} ] || { echo "$0"; exit 3; } ;; esac`;
    expect(await configure("1.0.0", "1.1.0", where)).toMatchObject({ code: 0, err: "" });
  });
});

describe("the folder in which the service's user runs a new version", () => {
  test("is root's until all is in it: root follows no link that this user lays there", async () => {
    machine.placeExecutable("1.1.0");
    const [victim, saved] = ["victim", "before-upgrade"].map((name) => join(machine.folder, name));
    writeFileSync(`${victim}`, "root's own");
    mkdirSync(`${saved}`);
    writeFileSync(`${saved}/fiscald.db`, "books");
    // That user is quick, and cannot run what lies where root has put it.
    script(
      "chown",
      `for of in "$@"; do :; done; ln -s ${victim} "$of/fiscald" 2>/dev/null; exit 0`,
    );
    script("setpriv", 'shift 3; [ "$1" != test ] || exit 1; exec "$@"');
    const line = `root= state=$1 user=fiscald natives=$1/natives; . ./steps.sh; try_migration ./fiscald`;
    const ended = await run(["sh", "-euc", line, "sh", machine.folder]);
    expect([ended.code, readFileSync(`${victim}`, "utf8")]).toEqual([0, "root's own"]);
    expect(existsSync(join(machine.folder, "natives"))).toBe(false);
  });

  test("goes where the installer is ended as it tries one", async () => {
    await machine.installHere();
    writeFileSync(machine.at("var/lib/fiscald/fiscald.db"), "books of 1.0.0");
    const lock = machine.at("usr/local/lib/fiscald/update.lock");
    const end = `case "$*" in *--try*) kill -HUP $(sed -n s/^pid=//p ${lock}) ;; esac`;
    machine.placeExecutable("1.1.0", end);
    expect((await machine.installHere()).code).toBe(130);
    expect(readdirSync(machine.at("usr/local/lib/fiscald"))).toEqual(["update.lock"]);
  });
});

test("an install.sh that was killed is gone back from with the database, if a person started it", async () => {
  const worksOnItsOwn = (version: string) =>
    `case "$*" in
      *--try* | "check --help") exit ;;
      *--taken-*) exit 1 ;;
      migrate*/var/lib/fiscald) grep -q "of ${version}" "$3/fiscald.db" || exit 3 ;;
    esac`;
  machine.placeExecutable("1.0.0", worksOnItsOwn("1.0.0"));
  await machine.installHere();
  writeFileSync(machine.at("var/lib/fiscald/fiscald.db"), "books of 1.0.0");
  machine.placeExecutable("1.1.0", worksOnItsOwn("1.1.0"));
  machine.script("bin/cp", 'case "$*" in *.rules.new) kill -9 $PPID ;; esac', 'exec /bin/cp "$@"');
  expect((await machine.installHere()).code).toBe(137);
  expect(machine.read("usr/local/bin/fiscald")).toContain("1.1.0");
  writeFileSync(machine.at("var/lib/fiscald/fiscald.db"), "books of 1.1.0");
  // At the next boot.
  machine.script("bin/cp", 'exec /bin/cp "$@"');
  const goBack = machine.at("usr/local/lib/fiscald/former/go-back.sh");
  const { out, code } = await run(["sh", goBack, machine.root]);
  expect([code, out]).toEqual([0, "back to 1.0.0, as before the upgrade to 1.1.0\n"]);
  expect(machine.read("usr/local/bin/fiscald")).toContain("1.0.0");
  expect(machine.read("var/lib/fiscald/fiscald.db")).toBe("books of 1.0.0");
  expect(machine.read("var/lib/fiscald/failed-update/fiscald.db")).toBe("books of 1.1.0");
});

describe("Litestream, which still folds the log into the database where systemd has stopped the gateway,", () => {
  const books = "var/lib/fiscald/fiscald.db";
  /** It ends by itself, or when somebody waits for it by its name, and is off then. */
  beforeEach(async () => {
    await machine.installHere();
    writeFileSync(machine.at("etc/systemd/system/fiscald-replicate.service"), "");
    writeFileSync(machine.at(books), "books, some of them in the log");
    const folded = join(machine.folder, "folded");
    systemctl(
      `[ "$*" != "stop fiscald-replicate" ] || { echo books of 1.0.0 > ${machine.at(books)}; echo > ${folded}; }`,
      `[ ! -f ${folded} ] || [ "$3" != fiscald-replicate ] || exec echo ActiveState=inactive`,
      'case "$*" in list-jobs*replicate.service) exec echo 8 fiscald-replicate.service stop running ;; esac',
    );
    forget();
  });

  test.each([
    { by: "install.sh", save: () => machine.installHere() },
    {
      by: "the package",
      save: () => {
        rmSync(machine.at("usr/local/bin/fiscald"));
        return run(["sh", "./preinst", "upgrade", "1.0.0", "1.1.0"]);
      },
    },
  ])("has ended before $by saves that", async ({ save }) => {
    machine.placeExecutable("1.1.0");
    expect((await save()).code).toBe(0);
    expect(machine.read("var/lib/fiscald/before-upgrade/fiscald.db")).toBe("books of 1.0.0\n");
    expect(told("stop").at(-1)).toBe("systemctl stop fiscald-replicate");
  });

  test("has ended before the saved one takes its place", async () => {
    mkdirSync(machine.at("var/lib/fiscald/before-upgrade"));
    writeFileSync(machine.at("var/lib/fiscald/before-upgrade/fiscald.db"), "saved");
    mkdirSync(machine.at("usr/local/lib/fiscald"), { recursive: true });
    writeFileSync(machine.at("usr/local/lib/fiscald/under-way"), "from=1.0.0\n");
    const begin =
      "root=$1 state=$1/var/lib/fiscald user=fiscald; . ./steps.sh; . ./under-way.sh; restore_database";
    expect(await run(["sh", "-euc", begin, "sh", machine.root])).toMatchObject({
      code: 0,
      err: "",
    });
    expect(machine.read(books)).toBe("saved");
    expect(machine.read("var/lib/fiscald/failed-update/fiscald.db")).toBe("books of 1.0.0\n");
  });

  test("begins at a boot behind what goes back", () => {
    const unit = readFileSync(join(machine.unpacked, "fiscald-go-back.service"), "utf8");
    expect(/^Before=(.*)$/m.exec(unit)?.[1]).toContain("fiscald-replicate.service");
  });
});

test.each([
  { why: "for lack of room", answer: "echo no space left on device; exit 70" },
  {
    why: "while another process has the state",
    answer:
      "case $3 in */var/lib/fiscald) echo the state directory is in use by process 7; exit 3 ;; esac",
  },
  {
    why: "under settings that it does not take",
    answer: "case $3 in */var/lib/fiscald) echo an unknown setting; exit 2 ;; esac",
  },
])("a former version that cannot be asked $why costs no database", async ({ answer }) => {
  const full = join(machine.folder, "full");
  const lines = `case "$*" in
      *--try*) exit ;;
      *--taken-*) exit 1 ;;
      migrate*) [ ! -f ${full} ] || { ${answer}; } ;;
    esac`;
  machine.placeExecutable("1.0.0", lines);
  await machine.installHere();
  writeFileSync(machine.at("var/lib/fiscald/fiscald.db"), "books of 1.0.0");
  machine.placeExecutable("1.1.0", lines);
  machine.script("bin/cp", 'case "$*" in *.rules.new) kill -9 $PPID ;; esac', 'exec /bin/cp "$@"');
  expect((await machine.installHere()).code).toBe(137);
  machine.script("bin/cp", 'exec /bin/cp "$@"');
  writeFileSync(machine.at("var/lib/fiscald/fiscald.db"), "books and what was sold since");
  writeFileSync(full, "");
  const goBack = () =>
    run(["sh", machine.at("usr/local/lib/fiscald/former/go-back.sh"), machine.root]);
  expect(await goBack()).toMatchObject({
    code: 1,
    err: expect.stringMatching(/disk|in use|setting/),
  });
  const books = () => machine.read("var/lib/fiscald/fiscald.db");
  expect(books()).toBe("books and what was sold since");
  // The next boot, or update, asks again.
  rmSync(full);
  expect((await goBack()).code).toBe(0);
  expect(books()).toBe("books and what was sold since");
  expect(existsSync(machine.at("usr/local/lib/fiscald/under-way"))).toBe(false);
});

describe("the package", () => {
  test("is purged with the copying elsewhere, which would else be asked to start with the next one", async () => {
    const wanted = machine.at("etc/systemd/system/fiscald.service.wants");
    expect((await machine.installHere()).code).toBe(0);
    expect((await machine.installHere("--replicate", "s3://shop/fiscald")).code).toBe(0);
    expect((await machine.installHere("--replicate", "/mnt/nas/fiscald")).code).toBe(0);
    mkdirSync(wanted);
    writeFileSync(join(wanted, "fiscald-replicate.service"), "");
    expect(await run(["sh", "./postrm", "purge"])).toMatchObject({ code: 0, err: "" });
    const left = readdirSync(machine.at("etc"), { recursive: true, encoding: "utf8" });
    expect(left.filter((name) => name.includes("replicate"))).toEqual([]);
    // The copy itself is nowhere else.
    expect(existsSync(machine.at("mnt/nas/fiscald"))).toBe(true);
  });

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

  test("leaves a gateway its database and its files that no systemd has stopped", async () => {
    const state = machine.at("var/lib/fiscald");
    const lock = lockStateDirectory(state);
    writeFileSync(join(state, "fiscald.db"), "books of 1.0.0");
    for (const words of [
      ["./preinst", "upgrade", "1.0.0", "1.1.0"],
      ["./prerm", "remove"],
    ]) {
      const { code, err } = await run(["sh", ...words]);
      expect([words, code, err]).toEqual([words, 1, expect.stringContaining(": end it first; ")]);
    }
    expect(existsSync(join(state, "before-upgrade"))).toBe(false);
    lock.release();
    expect(await run(["sh", "./prerm", "remove"])).toMatchObject({ code: 0, err: "" });
  });

  test.each([
    { old: "1.0.0", next: "1.1.0", left: ["before-upgrade", "books of 1.0.0"] },
    { old: "1.1.0", next: "1.0.0", left: ["before-downgrade", "books of 1.1.0"] },
    { old: "1.1.0", next: "1.1.0~rc.1", left: ["before-downgrade", "books of 1.1.0"] },
    { old: "1.1.0", next: "1.1.0", left: ["before-upgrade", "books of 1.0.0"] },
  ])("keeps what the older version works on: $old, then $next", async ({ old, next, left }) => {
    const state = join(machine.root, "var/lib/fiscald");
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
