/**
 * `fiscald update` whose new version is not well where going back would cost something, on a folder that stands
 * for a machine, as in `update.test.ts`: what was sold is not taken back, and the shop does not stand still.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installedAt, readUpdateNote } from "../update/outcome-note.ts";
import { VERSION } from "../version.ts";
import { MachineFolder, placeScript } from "./testing/machine-folder.ts";
import { commandsIn, doingLine, soldSql as sold } from "./testing/sold.ts";

const NEWER = "9.9.9";

let machine: MachineFolder;
beforeEach(async () => {
  // It answers as this version, which a gateway that came back has to.
  machine = await MachineFolder.open(VERSION);
});
afterEach(() => machine.close());

const state = () => machine.at("var/lib/fiscald");
const note = () => readUpdateNote(installedAt(state()).note);
const health = async () => (await fetch(`${machine.url()}/health`)).status;
const status = () => machine.run([machine.program, "status", "--state-dir", state()]);
const pack = (...lines: readonly string[]) =>
  machine.pack(NEWER, machine.gatewayCalled(NEWER, ...lines));

const doing = (...statements: readonly string[]) => doingLine(machine, statements);
const commands = () => commandsIn(join(state(), "fiscald.db"));

const NEWER_SCHEMA =
  "INSERT INTO schema_migrations (name, hash, applied_at) VALUES ('9999', '', 0)";
/** The gateway ends by itself the first time, once the line has run; before later starts the other one runs. */
const endsOnce = (line: string, later = ":") => {
  const done = join(machine.folder, "done");
  return `if [ "$1" = serve ] && [ -f ${done} ]; then ${later}; fi
if [ "$1" = serve ] && [ ! -f ${done} ]; then : > ${done}; ${line}; exit 1; fi`;
};

test("a new version that has sold for minutes stays, where the former one does not work on it", async () => {
  await machine.systemctl("start");
  // Its program is this one, which does not work on that schema either.
  const hides = doing("DELETE FROM schema_migrations WHERE name = '9999'");
  const { err, code } = await machine.update(
    await pack(endsOnce(doing(...sold(400), NEWER_SCHEMA), hides)),
  );
  expect([code, err]).toEqual([1, expect.stringContaining(`updated to ${NEWER}, which stays`)]);
  expect(note()).toMatchObject({ outcome: "updated", to: NEWER, databaseRestored: false });
  expect(note()?.reason).toContain("systemctl start");
  expect([await machine.installed(), commands().length, await health()]).toEqual([
    ...[expect.stringContaining(NEWER), 1, 200],
  ]);
  expect(existsSync(machine.at("usr/local/lib/fiscald/under-way"))).toBe(false);
  expect(existsSync(join(state(), "failed-update"))).toBe(false);
});

test("what one has sold for seconds is named where it goes aside", async () => {
  await machine.systemctl("start");
  const { err, code } = await machine.update(await pack(endsOnce(doing(...sold(1), NEWER_SCHEMA))));
  const where = `what ${NEWER} has taken (commands: 1, receipts: 0) is in ${state()}/failed-update alone`;
  expect([code, err]).toEqual([1, expect.stringContaining(where)]);
  expect(note()).toMatchObject({ outcome: "went_back", databaseRestored: true });
  expect(note()?.reason).toContain(where);
  expect([await machine.installed(), commands(), await health()]).toEqual([
    ...[expect.stringContaining(VERSION), [], 200],
  ]);
});

describe("a former version that is still in its place, and does not work on the database", () => {
  const underWay = () => existsSync(machine.at("usr/local/lib/fiscald/under-way"));
  /** The disk is full before the first file of the new version is there, which is when those lines run. */
  async function updateThatIsFull(...lines: readonly string[]) {
    await machine.systemctl("start");
    const ruins = `echo ruined > ${state()}/fiscald.db; rm -f ${state()}/fiscald.db-*`;
    const full = `*/usr/local/bin/fiscald.new) ${[ruins, ...lines].join("; ")}; echo no space left >&2; exit 1 ;;`;
    const cp = `#!/bin/sh\ncase "$*" in ${full} esac\nexec /bin/cp "$@"\n`;
    placeScript(join(machine.folder, "bin/cp"), cp);
    return machine.update(await pack());
  }

  test("keeps that for what was taken since", async () => {
    const starts = `${state()}-starts/starts`;
    const { code, err } = await updateThatIsFull(`touch -d "1 hour" ${starts}`);
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(
        /no space left.* is in its place, does not work on .* which stays for/s,
      ),
    ]);
    expect(err).toContain(`and ${VERSION}, which is in its place`);
    expect(note()).toMatchObject({ outcome: "went_back", databaseRestored: false });
    expect([readFileSync(join(state(), "fiscald.db"), "utf8"), underWay()]).toEqual([
      ...["ruined\n", false],
    ]);
  });

  test("is named where there is no room for the saved one", async () => {
    const full = join(machine.folder, "full");
    const none = `[ "$1" != -f ] || [ ! -f ${full} ] || { echo 9 4096; exit; }`;
    placeScript(join(machine.folder, "bin/stat"), `#!/bin/sh\n${none}\nexec /bin/stat "$@"\n`);
    const { code, err } = await updateThatIsFull(`: > ${full}`);
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(
        /no space left.* is in its place, does not work .* MB of room on its disk/s,
      ),
    ]);
    expect(err).not.toContain("stays for now");
    expect([note()?.outcome, underWay()]).toEqual(["broken", true]);
  });
});

test("goes back from it with all that it has sold, where the former one works on its database", async () => {
  await machine.systemctl("start");
  const { code } = await machine.update(await pack(endsOnce(doing(...sold(400)))));
  expect([code, note()?.outcome, note()?.databaseRestored]).toEqual([1, "went_back", false]);
  expect([await machine.installed(), commands().length, await health()]).toEqual([
    ...[expect.stringContaining(VERSION), 1, 200],
  ]);
});

test("a former version that sells, and is not well, keeps its database, and runs", async () => {
  await machine.systemctl("start");
  // Its gateway sells before it ends, the first time.
  const sells = endsOnce(doing(...sold(5)));
  const isBack = `[ ! -f ${join(machine.folder, "back")} ] || {\n${sells}\n}`;
  placeScript(machine.at("usr/local/bin/fiscald"), machine.gatewayCalled(VERSION, isBack));
  const back = join(machine.folder, "back");
  const { err, code } = await machine.update(
    await pack(`[ "$1" != serve ] || { : > ${back}; exit 1; }`),
  );
  expect([code, err]).toEqual([3, expect.stringContaining("does not start any more either")]);
  expect(note()).toMatchObject({ outcome: "broken", databaseRestored: false });
  expect([await machine.installed(), commands().length, await health()]).toEqual([
    ...[expect.stringContaining(VERSION), 1, 200],
  ]);
  expect(existsSync(join(state(), "failed-update"))).toBe(false);
  expect((await status()).out.replaceAll(/\s+/g, " ")).toContain("between two versions");
});

test("a former version that does not take the settings any more keeps the database", async () => {
  await machine.systemctl("start");
  const written = `echo 'later = 1' > ${state()}/fiscald.toml`;
  const { err, code } = await machine.update(await pack(endsOnce(written)));
  expect([code, err]).toEqual([3, expect.stringContaining("does not start any more either")]);
  expect(note()).toMatchObject({ outcome: "broken", databaseRestored: false });
  expect(existsSync(join(state(), "failed-update"))).toBe(false);
});

describe("where what it came to cannot be noted, as on a full disk", () => {
  beforeEach(() =>
    mkdirSync(machine.at("usr/local/lib/fiscald/update.json/in-the-way"), { recursive: true }),
  );

  test("an update that is refused says why", async () => {
    await machine.systemctl("start");
    const { err, code } = await machine.update(await pack('[ "$1" != migrate ] || exit 5'));
    expect([code, err]).toEqual([1, expect.stringContaining(`not updated, ${VERSION} runs as`)]);
    expect(err).toContain("could not be noted");
  });

  test("one that went back says so", async () => {
    await machine.systemctl("start");
    const { err, code } = await machine.update(await pack(endsOnce(":")));
    expect([code, err]).toEqual([1, expect.stringContaining(`not updated, ${VERSION} runs as`)]);
    expect(err).toContain("could not be noted");
  });
});

test("what an earlier update has saved does not come back over a database that was not saved", async () => {
  await machine.systemctl("start");
  // Somebody has moved it away, and the gateway has not seen that yet.
  mkdirSync(join(state(), "before-upgrade"));
  writeFileSync(join(state(), "before-upgrade/fiscald.db"), "of long ago");
  const moved = join(machine.folder, "moved.db");
  const systemctl = join(machine.folder, "bin/systemctl");
  renameSync(systemctl, join(machine.folder, "systemctl"));
  const moves = `[ "$1" != stop ] || [ -f ${moved} ] || { mv ${state()}/fiscald.db ${moved}; rm -f ${state()}/fiscald.db-*; }`;
  const stops = `${join(machine.folder, "systemctl")} "$@"; code=$?`;
  placeScript(systemctl, `#!/bin/sh\n${stops}\n${moves}\nexit $code\n`);
  const ends = '[ "$1" != serve ] || exit 1';
  await machine.update(await pack(ends, '[ "$1" != migrate ] || exit 0'));
  const place = join(state(), "fiscald.db");
  expect(existsSync(place) ? readFileSync(place, "utf8") : "").not.toContain("long ago");
});

test("a way back that is broken off, as for lack of room, starts what is in its place", async () => {
  await machine.systemctl("start");
  const program = machine.at("usr/local/bin/fiscald.new");
  const full = `case "$*" in */former/fiscald*${program}) echo no space left >&2; exit 1 ;; esac`;
  placeScript(join(machine.folder, "bin/cp"), `#!/bin/sh\n${full}\nexec /bin/cp "$@"\n`);
  const { err, code } = await machine.update(await pack(endsOnce(":")));
  expect([code, err]).toEqual([
    3,
    expect.stringMatching(/way back was broken off.*: .*no space left/s),
  ]);
  expect(note()).toMatchObject({ outcome: "broken", databaseRestored: false });
  expect([await machine.installed(), await health()]).toEqual([
    expect.stringContaining(NEWER),
    200,
  ]);
  rmSync(join(machine.folder, "bin/cp"));
  const goBack = machine.at("usr/local/lib/fiscald/former/go-back.sh");
  await machine.systemctl("stop");
  expect(await machine.run(["sh", goBack, machine.root])).toMatchObject({ code: 0, err: "" });
  expect(await machine.installed()).toContain(VERSION);
});
