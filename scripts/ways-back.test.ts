/**
 * What becomes of the database where an upgrade was broken off and somebody has sold since: whatever the
 * versions say of it, and wherever the way back was broken off itself, no sale is taken back.
 */

import { beforeEach, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { lockStateDirectory } from "../src/platform/lock.ts";
import { installerForEachTest } from "./testing/installer-for-each-test.ts";

const STATE = "var/lib/fiscald";
const BOOKS = `${STATE}/fiscald.db`;
const FAILED = `${STATE}/failed-update/fiscald.db`;
const UNDER_WAY = "usr/local/lib/fiscald/under-way";
const PROGRAM = "usr/local/bin/fiscald";
/** Counts each start, and each receipt soon after. */
const STARTS = "var/lib/fiscald-starts/starts";

const machine = installerForEachTest();
/** There while no version can be asked for anything. */
let full: string;
/** There while a setting has a typing error. */
let mistyped: string;
/** There while nobody may write where the database lies. */
let closed: string;

/** How a version says whether the shop has sold since: by its exit code, or in words, as one of before. */
type Answers = "codes" | "words";
const ANSWERS: Readonly<Record<Answers, string>> = {
  codes: `if [ "$4" = --taken-beyond ]; then
    [ -z "$at" ] || grep -q "$at" "$5" || { [ "$at" -ge "\${7:-0}" ] && [ "$at" -le "\${9:-0}" ]; } ||
      { echo commands: 1, receipts: 0; exit; }
    ! grep -q torn $books || { echo the database is damaged; exit 1; }
    exit 6
  fi`,
  words: `if [ "$4" = --taken-since ]; then
    [ -z "$at" ] || [ "$at" -le "$5" ] || exit 0
    [ -z "$at" ] || [ $# -lt 9 ] || grep -q "$at" "$7" || [ "$at" -ge "$9" ] || exit 0
    ! grep -q torn $books || { echo the database is damaged; exit 1; }
    echo no command was taken since then; exit 1
  fi`,
};
/** The option that it does not have. */
const UNKNOWN: Readonly<Record<Answers, string>> = {
  codes: "--taken-since",
  words: "--taken-beyond",
};

/**
 * What a version does with a database of lines: it is of a schema, the last command's time is its last number,
 * and where it is torn nobody can read more than that.
 */
const worksOnItsOwn = (
  version: string,
  answers: Answers = "codes",
): string => `[ $1 != version ] || exec echo "fiscald ${version}"
  [ ! -f ${full} ] || { echo "no space left on device"; exit 70; }
  case "$*" in *--try* | "check --help") exit ;; esac
  case "$*" in *${UNKNOWN[answers]}*) echo "error: unknown option '${UNKNOWN[answers]}'"; exit 2 ;; esac
  [ ! -f ${mistyped} ] || { echo "htpp.listen: there is no such setting"; exit 2; }
  case "$*" in check* | migrate*/var/lib/fiscald) ;; *) mkdir -p "$3"; exit ;; esac
  books=$3/fiscald.db
  if [ $1 = migrate ]; then
    [ ! -f ${closed} ] || { echo "the database cannot be used: unable to open database file"; exit 3; }
    [ -f $books ] || [ ! -f $books.rescued ] || mv $books.rescued $books
    [ ! -f $books.damaged ] && [ -f $books ] || { cat $books.damaged; exit 3; }
    ! grep -q torn $books || { echo the database is damaged; exit 3; }
    grep -q "of ${version}" $books ||
      { echo the database has migration X of a newer version; exit ${answers === "codes" ? 5 : 3}; }
    exit
  fi
  [ -f $books ] || { echo there is no database; exit 3; }
  at=$(grep -o '[0-9]*$' $books)
  ${ANSWERS[answers]}
  ! grep -q torn $books || { echo the database is damaged; exit 1; }
  exit`;

const at = (path: string): string => machine.at(path);
const books = (): string => machine.read(BOOKS);
const version = (): string | undefined => /1\.\d\.0/.exec(machine.read(PROGRAM))?.[0];
const isNoted = (): boolean => existsSync(at(UNDER_WAY));
const noted = (name: string): number =>
  Number(new RegExp(`^${name}=(\\d+)$`, "m").exec(machine.read(UNDER_WAY))?.[1]);
const outcome = () => JSON.parse(machine.read("usr/local/lib/fiscald/update.json"));

function leave(text: string): void {
  writeFileSync(at(BOOKS), text);
}

/** A gateway has started, or sold, at that instant. @param seconds since 1970 */
function noteStart(seconds: number): void {
  mkdirSync(join(at(STARTS), ".."), { recursive: true });
  writeFileSync(at(STARTS), "");
  utimesSync(at(STARTS), seconds, seconds);
}

/** Whoever runs that program like this is killed. */
function killAt(program: string, words: string): void {
  const line = `case "$*" in ${words}) kill -9 $PPID; exit ;; esac`;
  machine.script(`bin/${program}`, line, `exec /bin/${program} "$@"`);
}
function killNobody(): void {
  for (const name of ["cp", "chmod", "stat", "sync"])
    machine.script(`bin/${name}`, `exec /bin/${name} "$@"`);
}

const boot = () => machine.run(["sh", at("usr/local/lib/fiscald/former/go-back.sh"), machine.root]);

/** The next boot breaks off behind the former version's executable. */
async function bootThatIsBrokenOff(): Promise<void> {
  killAt("sync", "*/usr/local/bin");
  expect((await boot()).code).toBe(137);
  killNobody();
  expect([version(), isNoted()]).toEqual(["1.0.0", true]);
}

/** An upgrade that ends behind the executable. */
async function installThatIsKilled(): Promise<void> {
  killAt("cp", "*.rules.new");
  expect((await machine.installHere()).code).toBe(137);
  killNobody();
  expect([version(), isNoted()]).toEqual(["1.1.0", true]);
}

beforeEach(async () => {
  full = join(machine.folder, "full");
  mistyped = join(machine.folder, "mistyped");
  closed = join(machine.folder, "closed");
  appendFileSync(
    join(machine.unpacked, "steps.sh"),
    "has_systemd() { true; }\napply_rules() { :; }\n",
  );
  machine.script("bin/systemctl", `[ "$1" != show ] || echo ActiveState=inactive`);
  await beginFrom("books of 1.0.0");
});

/** An upgrade that is killed, of a machine whose database was that. */
async function beginFrom(saved: string, answers: readonly Answers[] = []): Promise<void> {
  rmSync(machine.root, { recursive: true, force: true });
  const [former, next] = answers;
  machine.placeExecutable("1.0.0", worksOnItsOwn("1.0.0", former));
  expect((await machine.installHere()).code).toBe(0);
  leave(saved);
  machine.placeExecutable("1.1.0", worksOnItsOwn("1.1.0", next));
  await installThatIsKilled();
}

/** When the new version's watch is over for sure. Seconds since 1970. */
const later = (): number => noted("begun") + 400;

describe("sales with the new version, after its watch", () => {
  test.each(["is whole", "is torn"])("keep it and its database, which %s", async (how) => {
    leave(`books of 1.1.0${how === "is torn" ? ", torn" : ""}, a command at ${later()}`);
    const left = books();
    expect(await boot()).toMatchObject({ code: 0, out: "1.1.0 has worked since: it stays\n" });
    expect([version(), books(), isNoted()]).toEqual(["1.1.0", left, false]);
    expect(outcome()).toMatchObject({ outcome: "updated", databaseRestored: false });
  });

  test("keep it also where its executable is damaged since: the former one reads of them", async () => {
    const sold = `books of 1.1.0, a command at ${later()}`;
    leave(sold);
    writeFileSync(at(PROGRAM), "#!/bin/sh\n# 1.1.0\nexit 1\n");
    expect((await boot()).code).toBe(0);
    expect([version(), books()]).toEqual(["1.1.0", sold]);
  });

  test("that damage hides: nothing goes back while the gateway has run since", async () => {
    leave("books of 1.1.0, torn");
    noteStart(later());
    const { code, err } = await boot();
    expect([code, err]).toEqual([1, expect.stringContaining("the database is damaged")]);
    expect([version(), books(), isNoted()]).toEqual(["1.1.0", "books of 1.1.0, torn", true]);
    // Whoever repairs it has a database that tells.
    leave(`books of 1.1.0, a command at ${later()}`);
    expect((await boot()).code).toBe(0);
    expect(version()).toBe("1.1.0");
  });

  test("in a database that was removed under the gateway are in the copy that it kept", async () => {
    const sold = `books of 1.1.0, a command at ${later()}`;
    writeFileSync(at(`${BOOKS}.rescued`), sold);
    rmSync(at(BOOKS));
    noteStart(later());
    expect((await boot()).code).toBe(1);
    expect([version(), existsSync(at(BOOKS))]).toEqual(["1.1.0", true]);
    expect([(await boot()).code, version(), books()]).toEqual([0, "1.1.0", sold]);
  });

  test.each([2, 7_200])("keep it also where the clock was set back by %d s since", async (back) => {
    const sold = `books of 1.1.0, a command at ${noted("begun") - back}`;
    leave(sold);
    expect(await boot()).toMatchObject({ code: 0, out: "1.1.0 has worked since: it stays\n" });
    expect([version(), books(), isNoted()]).toEqual(["1.1.0", sold, false]);
  });

  test("wait where the clock was set back, and no version can read them", async () => {
    leave("books of 1.1.0, torn");
    noteStart(noted("begun") - 7_200);
    expect((await boot()).code).toBe(1);
    expect([version(), books(), isNoted()]).toEqual(["1.1.0", "books of 1.1.0, torn", true]);
  });

  test("wait for somebody to ask where no version can be asked", async () => {
    leave(`books of 1.1.0, a command at ${later()}`);
    noteStart(later());
    writeFileSync(full, "");
    const { code, err } = await boot();
    expect([code, err]).toEqual([1, expect.stringContaining("no space left on device")]);
    expect([version(), isNoted()]).toEqual(["1.1.0", true]);
    rmSync(full);
    expect([(await boot()).code, version()]).toEqual([0, "1.1.0"]);
  });

  test.each(["codes", "words"] as const)(
    "wait where no version takes the settings, which is told, of those that answer in %s",
    async (answers) => {
      await beginFrom("books of 1.0.0", [answers, answers]);
      leave(`books of 1.1.0, a command at ${later()}`);
      noteStart(later());
      writeFileSync(mistyped, "");
      const { code, err } = await boot();
      expect([code, err]).toEqual([1, expect.stringContaining("htpp.listen: there is no such")]);
      expect([version(), isNoted()]).toEqual(["1.1.0", true]);
    },
  );
});

test.each([
  { what: "ahead", by: 7_200 },
  { what: "behind", by: -7_200 },
])("what was sold before the upgrade is none since, whose clock was $what then", async ({ by }) => {
  const before = Math.floor(Date.now() / 1_000) + by;
  await beginFrom(`books of 1.0.0, a command at ${before}`);
  leave(`books of 1.1.0, a command at ${before}`);
  expect((await boot()).code).toBe(0);
  expect([version(), books()]).toEqual(["1.0.0", `books of 1.0.0, a command at ${before}`]);
  expect(outcome()).toMatchObject({ outcome: "went_back", databaseRestored: true });
});

describe.each([
  { who: "both", answers: ["words", "words"] },
  { who: "the former one", answers: ["words", "codes"] },
] as const)("where $who of the versions answers in words, as those of before,", ({ answers }) => {
  beforeEach(() => beginFrom("books of 1.0.0", answers));

  test("sales after the watch keep the new version", async () => {
    const sold = `books of 1.1.0, a command at ${later()}`;
    leave(sold);
    expect((await boot()).code).toBe(0);
    expect([version(), books(), isNoted()]).toEqual(["1.1.0", sold, false]);
  });

  test("those in the watch do not", async () => {
    leave(`books of 1.1.0, a command at ${noted("begun") + 1}`);
    expect((await boot()).code).toBe(0);
    expect([version(), books(), isNoted()]).toEqual(["1.0.0", "books of 1.0.0", false]);
  });

  test("a database of a newer schema goes aside whatever the clock was as the former one came back", async () => {
    leave("books of 1.1.0");
    await bootThatIsBrokenOff();
    leave(`books of 1.1.0, a command at ${noted("back") + 9}`);
    expect((await boot()).code).toBe(0);
    expect([version(), books()]).toEqual(["1.0.0", "books of 1.0.0"]);
  });
});

test("what was sold in the watch and goes aside is told", async () => {
  leave(`books of 1.1.0, a command at ${noted("begun") + 1}`);
  const where = `what 1.1.0 has taken (commands: 1, receipts: 0) is in ${at(STATE)}/failed-update alone`;
  expect((await boot()).out).toContain(where);
  expect(outcome().reason).toContain(where);
});

describe("sales with the former version, once it is back", () => {
  test.each([
    { what: "that it refuses then", left: "torn" },
    { what: "that is gone then", left: undefined },
  ])("stay in a database $what", async ({ left }) => {
    await bootThatIsBrokenOff();
    const sold = `books of 1.0.0, ${left}, a command at ${noted("back") + 1}`;
    if (left === undefined) rmSync(at(BOOKS));
    else leave(sold);
    noteStart(noted("back") + 1);
    const { code, out } = await boot();
    expect([code, out]).toEqual([0, expect.stringContaining("which stays for what may have been")]);
    expect(existsSync(at(BOOKS)) ? books() : undefined).toBe(left === undefined ? undefined : sold);
    expect([version(), existsSync(at(FAILED)), isNoted()]).toEqual(["1.0.0", false, false]);
    expect(outcome()).toMatchObject({ outcome: "went_back", databaseRestored: false });
  });

  test("stay where the new one never came to its place", async () => {
    rmSync(at(PROGRAM));
    renameSync(at("usr/local/lib/fiscald/former/fiscald"), at(PROGRAM));
    await Bun.write(at("usr/local/lib/fiscald/former/fiscald"), machine.read(PROGRAM));
    const sold = `books of 1.0.0, torn, a command at ${noted("begun") + 1}`;
    leave(sold);
    expect((await boot()).code).toBe(0);
    expect([version(), books()]).toEqual(["1.0.0", sold]);
  });

  test("stay in a database that it then cannot be asked about, and refuses later", async () => {
    await bootThatIsBrokenOff();
    const sold = `books of 1.0.0, a command at ${noted("back") + 1}`;
    leave(sold);
    writeFileSync(full, "");
    expect([(await boot()).code, isNoted()]).toEqual([1, true]);
    rmSync(full);
    leave(`${sold.replace(",", ", torn,")}`);
    expect((await boot()).code).toBe(0);
    expect(books()).toContain("torn, a command");
  });

  test("stay in the saved database, which comes back once alone", async () => {
    leave("books of 1.1.0");
    killAt("chmod", "*update.json.new");
    expect((await boot()).code).toBe(137);
    killNobody();
    expect(machine.read(UNDER_WAY)).toContain("restored=yes");
    const sold = `books of 1.0.0, torn, a command at ${noted("back") + 1}`;
    leave(sold);
    expect((await boot()).code).toBe(0);
    expect([books(), machine.read(FAILED), isNoted()]).toEqual([sold, "books of 1.1.0", false]);
  });
});

describe("a database on another disk", () => {
  test("that cannot be opened there at the boot stays, and is asked again", async () => {
    const both = "books of 1.0.0, and of 1.1.0";
    leave(both);
    writeFileSync(closed, "");
    const { code, err } = await boot();
    expect([code, err]).toEqual([1, expect.stringContaining("unable to open database file")]);
    expect([version(), books(), isNoted()]).toEqual(["1.1.0", both, true]);
    rmSync(closed);
    expect([(await boot()).code, version(), books()]).toEqual([0, "1.0.0", both]);
    expect(outcome()).toMatchObject({ outcome: "went_back", databaseRestored: false });
  });

  test("is there, and may be written to, for what goes back at the boot", async () => {
    expect((await boot()).code).toBe(0);
    const disk = join(machine.folder, "disk of 9%");
    mkdirSync(disk);
    renameSync(at(BOOKS), join(disk, "books.db"));
    symlinkSync(join(disk, "books.db"), at(BOOKS));
    await installThatIsKilled();
    const unit = machine.read("etc/systemd/system/fiscald-go-back.service");
    const quoted = disk.replace("%", "%%");
    const [added = ""] = unit.split("WantedBy=multi-user.target\n").slice(1);
    expect(added).toBe(
      `[Unit]\nRequiresMountsFor="${quoted}"\n[Service]\nReadWritePaths="-${quoted}"\n`,
    );
    expect((await boot()).code).toBe(0);
    expect([version(), books()]).toEqual(["1.0.0", "books of 1.0.0"]);
  });
});

describe("the saved database comes back", () => {
  test.each([
    { what: "refuses", sold: "books of 1.1.0", sinceBack: -1 },
    // It cannot have sold on that.
    { what: "refuses, whatever the clock was at the boot,", sold: "books of 1.1.0", sinceBack: 9 },
    { what: "finds damaged", sold: "books of 1.1.0, torn", sinceBack: -1 },
  ])(
    "for one that the former version $what though the way back is broken off",
    async ({ sold, sinceBack }) => {
      leave(sold);
      await bootThatIsBrokenOff();
      leave(`${sold}, a command at ${noted("back") + sinceBack}`);
      expect((await boot()).code).toBe(0);
      expect([version(), books()]).toEqual(["1.0.0", "books of 1.0.0"]);
      expect(machine.read(FAILED)).toContain("books of 1.1.0");
      expect(outcome()).toMatchObject({ outcome: "went_back", databaseRestored: true });
    },
  );

  test("and keeps what each of two updates has left", async () => {
    for (const sold of ["books of 1.1.0", "books of 1.1.0, of the second try"]) {
      if (!isNoted()) await installThatIsKilled();
      leave(sold);
      expect((await boot()).code).toBe(0);
      expect([books(), machine.read(FAILED)]).toEqual(["books of 1.0.0", sold]);
    }
    const [earlier = ""] = readdirSync(at(STATE)).filter((name) =>
      /^failed-update-\d{8}T/.test(name),
    );
    expect(machine.read(join(STATE, earlier, "fiscald.db"))).toBe("books of 1.1.0");
  });

  test("and not over one of the new version that holds later sales, however that came about", async () => {
    leave("books of 1.1.0");
    await bootThatIsBrokenOff();
    const sold = `books of 1.1.0, a command at ${later()}`;
    leave(sold);
    const { code, out } = await boot();
    expect([code, out]).toEqual([0, expect.stringContaining("of a newer version")]);
    expect([version(), books(), existsSync(at(FAILED))]).toEqual(["1.0.0", sold, false]);
  });

  test("only where there is room for it: the new version goes on otherwise", async () => {
    leave("books of 1.1.0");
    machine.script("bin/stat", `[ "$1" != -f ] || { echo 9 4096; exit; }`, 'exec /bin/stat "$@"');
    const { code, err } = await boot();
    expect([code, err]).toEqual([1, expect.stringMatching(/ needs 1 MB of room on its disk/)]);
    expect([version(), books(), isNoted()]).toEqual(["1.1.0", "books of 1.1.0", true]);
    expect(readdirSync(at(STATE)).toSorted()).toEqual(["before-upgrade", "fiscald.db"]);
    killNobody();
    expect([(await boot()).code, version(), books()]).toEqual([0, "1.0.0", "books of 1.0.0"]);
  });

  test.each([
    { when: "begun", program: "1.1.0" },
    { when: "gone on with", program: "1.0.0" },
  ])("and is not $when under a gateway that somebody runs, once that has ended", async (scene) => {
    leave("books of 1.1.0");
    if (scene.when === "gone on with") {
      killAt("sync", "*/failed-update.part");
      expect((await boot()).code).toBe(137);
      killNobody();
    }
    const kept = readdirSync(at(STATE));
    const lock = lockStateDirectory(at(STATE));
    expect(await boot()).toMatchObject({
      code: 1,
      err: expect.stringContaining(`process ${process.pid} works on ${at(STATE)}: end it first`),
    });
    expect([version(), books(), isNoted()]).toEqual([scene.program, "books of 1.1.0", true]);
    expect(readdirSync(at(STATE))).toEqual(expect.arrayContaining(kept));
    lock.release();
    expect([(await boot()).code, version(), books()]).toEqual([0, "1.0.0", "books of 1.0.0"]);
  });
});
