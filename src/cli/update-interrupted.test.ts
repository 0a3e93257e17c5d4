/**
 * `fiscald update` that a person, or systemd, interrupts while it stops the gateway or puts right what a
 * killed one left, on a folder that stands for a machine, as in `update.test.ts`.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../e2e/harness/until.ts";
import { installedAt, readUpdateNote } from "../update/outcome-note.ts";
import { VERSION } from "../version.ts";
import { MachineFolder, placeScript } from "./testing/machine-folder.ts";

const FORMER = "0.0.1";

let machine: MachineFolder;
beforeEach(async () => {
  machine = await MachineFolder.open(FORMER);
  await machine.systemctl("start");
});
afterEach(async () => {
  if (existsSync(beside("systemctl"))) await unwrapSystemctl();
  await machine.close();
});

const beside = (name: string): string => join(machine.folder, name);
const pack = (version: string) => machine.pack(version, machine.gatewayCalled(version));
const note = () => readUpdateNote(installedAt(machine.at("var/lib/fiscald")).note);
const health = async () => (await fetch(`${machine.url()}/health`)).status;
const status = () =>
  machine.run([machine.program, "status", "--state-dir", machine.at("var/lib/fiscald")]);
/** Words without the breaks of their lines. */
const flat = (text: string): string => text.replace(/\s+/g, " ");
const DID_NOT_START = "the gateway did not start when the last update ended";
const lockSize = () => statSync(machine.at("usr/local/lib/fiscald/update.lock")).size;

/** Has the machine's systemctl do those lines first. */
async function wrapSystemctl(...lines: readonly string[]): Promise<void> {
  await machine.run(["mv", beside("bin/systemctl"), beside("systemctl")]);
  const text = ["#!/bin/sh", ...lines, `exec ${beside("systemctl")} "$@"`, ""].join("\n");
  placeScript(beside("bin/systemctl"), text);
}

/** Puts systemctl back as it was. */
const unwrapSystemctl = () => machine.run(["mv", beside("systemctl"), beside("bin/systemctl")]);

/** What a terminal starts, which signals all of the group that stands in front. */
const startUpdate = (archive: string) =>
  Bun.spawn([machine.program, "update", "--root", machine.root, "--watch-seconds", "0", archive], {
    env: { PATH: `${beside("bin")}:/usr/sbin:/usr/bin:/sbin:/bin` },
    ...{ detached: true, stdin: "ignore", stdout: "ignore", stderr: "ignore" },
  });

/** Lines that wait until the test says `go`. */
const waitFor = (told: string) =>
  `: > ${beside(told)}; while [ ! -f ${beside("go")} ]; do sleep 0.05; done`;

/** An update that is killed as it starts the new version: the machine is between the two. */
async function breakOff(): Promise<void> {
  // Its starter's starter is the update.
  const kill = '[ "$1" != serve ] || { kill -9 $(ps -o ppid= -p $PPID); exit 1; }';
  const { code } = await machine.update(
    await machine.pack("9.9.8", machine.gatewayCalled("9.9.8", kill)),
  );
  expect(code).toBe(137);
}

/** Has services not start until `unwrapSystemctl`. */
const refuseStarts = () => wrapSystemctl('[ "$1" != start ] || exit 1');

describe("an update that stops the gateway", () => {
  test.each(["SIGINT", "SIGHUP"] as const)(
    "goes on to its end through %s of its terminal",
    async (signal) => {
      await wrapSystemctl(`[ "$1" != stop ] || { ${waitFor("stopping")}; }`);
      const update = startUpdate(await pack(VERSION));
      await until("it stops the gateway", () => existsSync(beside("stopping")));
      process.kill(-update.pid, signal);
      writeFileSync(beside("go"), "");
      expect(await update.exited).toBe(0);
      expect(note()).toMatchObject({ outcome: "updated", to: VERSION });
      expect(await machine.installed()).toContain(VERSION);
      expect([await health(), lockSize()]).toEqual([200, 0]);
    },
  );

  test("starts it again where systemd calls the stop off, and says so", async () => {
    await wrapSystemctl(
      `[ "$1" != stop ] || { ${beside("systemctl")} "$@"; echo "Job canceled." >&2; exit 1; }`,
    );
    const { err, code } = await machine.update(await pack(VERSION));
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`not updated, ${FORMER} runs as before`),
    ]);
    expect(note()).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("canceled"),
    });
    expect([await health(), lockSize()]).toEqual([200, 0]);
  });

  test("leaves a note where it cannot be started again, by which the next one starts it", async () => {
    writeFileSync(beside("refuses"), "");
    await wrapSystemctl(
      `case $1 in start | stop) [ ! -f ${beside("refuses")} ] || { ${beside("systemctl")} stop; exit 1; } ;; esac`,
    );
    const archive = await pack(VERSION);
    const { err, code: left } = await machine.update(archive);
    expect([left, err]).toEqual([3, expect.stringContaining("does not start any more")]);
    await unwrapSystemctl();
    const told = await status();
    expect([told.code, flat(told.out)]).toEqual([3, expect.stringContaining(DID_NOT_START)]);
    const { out, code } = await machine.update(archive);
    expect([code, out]).toEqual([0, expect.stringContaining("had stopped runs\n")]);
    expect([await health(), lockSize()]).toEqual([200, 0]);
  });
});

describe("an update that puts right what a killed one left", () => {
  test.each(["SIGINT", "SIGHUP"] as const)("goes on through %s of its terminal", async (signal) => {
    const hold = `[ "$1" != migrate ] || [ ! -f ${beside("hold")} ] || { ${waitFor("goes-back")}; }`;
    placeScript(machine.at("usr/local/bin/fiscald"), machine.gatewayCalled(FORMER, hold));
    await breakOff();
    writeFileSync(beside("hold"), "");
    const update = startUpdate(await pack(VERSION));
    await until("it goes back", () => existsSync(beside("goes-back")));
    process.kill(-update.pid, signal);
    writeFileSync(beside("go"), "");
    expect(await update.exited).toBe(0);
    expect(await machine.installed()).toContain(VERSION);
    expect([await health(), lockSize()]).toEqual([200, 0]);
  });

  const BROKEN_OFF = [
    { what: "between two versions", breaks: breakOff },
    {
      what: "before it replaced anything",
      breaks: async () => {
        const lock = machine.at("usr/local/lib/fiscald/update.lock");
        const kill = `[ "$1" != migrate ] || { kill -9 $(sed -n s/^pid=//p ${lock}); exit 1; }`;
        const archive = await machine.pack("9.9.8", machine.gatewayCalled("9.9.8", kill));
        expect((await machine.update(archive)).code).toBe(137);
      },
    },
  ];

  test.each(BROKEN_OFF)(
    "leaves off what somebody is stopping, where it was killed $what",
    async ({ breaks }) => {
      await breaks();
      const before = machine.told("start");
      machine.says("fiscald", "deactivating stop-sigterm stop");
      expect(await machine.update(await pack(VERSION))).toMatchObject({ code: 0, err: "" });
      expect(await machine.installed()).toContain(VERSION);
      expect([machine.told("start"), lockSize()]).toEqual([before, 0]);
    },
  );

  test.each(BROKEN_OFF)(
    "knows what ran until that runs again, where one was killed $what",
    async ({ breaks }) => {
      await breaks();
      const archive = await pack(VERSION);
      await refuseStarts();
      const { code, err } = await machine.update(archive);
      expect([code, err]).toEqual([3, expect.stringContaining("does not start, as before")]);
      const looked = await status();
      expect([looked.code, flat(looked.out)]).toEqual([3, expect.stringContaining(DID_NOT_START)]);
      expect(looked.out).not.toContain("broken off");
      await unwrapSystemctl();
      expect((await machine.update(archive)).err).toContain("installed already");
      expect([await machine.installed(), await health(), lockSize()]).toEqual([
        ...[expect.stringContaining(VERSION), 200, 0],
      ]);
    },
  );

  test("brings the version in which the gateway starts that does not start any more", async () => {
    await leaveUnstarted();
    // What is wrong with the archive is told as ever, and forgets nothing.
    expect((await machine.update(beside("none.tar.gz"))).code).toBe(2);
    expect(lockSize()).toBeGreaterThan(0);
    const { code, out } = await machine.update(await pack(VERSION));
    expect([code, out]).toEqual([0, expect.stringContaining("fiscald does not start")]);
    expect([await machine.installed(), await health(), lockSize()]).toEqual([
      ...[expect.stringContaining(VERSION), 200, 0],
    ]);
  });

  /** What an earlier update left: a gateway that it had stopped, and that does not start. */
  async function leaveUnstarted(): Promise<void> {
    await machine.systemctl("stop");
    const fails = machine.gatewayCalled(FORMER, '[ "$1" != serve ] || exit 1');
    placeScript(machine.at("usr/local/bin/fiscald"), fails);
    placeScript(machine.at("usr/local/lib/fiscald/update.lock"), "services=fiscald\n");
  }

  test("goes back from one that starts again and is not well, with all that started again", async () => {
    await leaveUnstarted();
    const lock = machine.at("usr/local/lib/fiscald/update.lock");
    placeScript(lock, "services=fiscald fiscald-controller\n");
    // The controller does not start in the former version either.
    const [controller, program] = [beside("controller"), machine.at("usr/local/bin/fiscald")];
    await wrapSystemctl(
      ...['case "$*" in', '"show --property=ActiveState,SubState fiscald-controller")'],
      `  [ -f ${controller} ] && echo ActiveState=active || echo ActiveState=inactive; exit ;;`,
      `"start fiscald-controller") ! ${program} version | grep -q ${FORMER} || exit 1`,
      `  : > ${controller}; exit ;;`,
      ...[`stop*-controller) rm -f ${controller} ;;`, "esac"],
    );
    // It answers as another version than was brought.
    const { code, err, out } = await machine.update(await pack("9.9.9"));
    expect([code, err]).toEqual([1, expect.stringContaining("answers, not 9.9.9")]);
    expect(err).toContain("as before, and fiscald or fiscald-controller does not start, as before");
    expect(out).toContain("going back");
    expect([await machine.installed(), note()?.outcome, existsSync(controller)]).toEqual([
      ...[expect.stringContaining(FORMER), "went_back", false],
    ]);
    expect(readFileSync(lock, "utf8")).toBe("services=fiscald fiscald-controller\n");
    const looked = await status();
    expect([looked.code, flat(looked.out)]).toEqual([3, expect.stringContaining(DID_NOT_START)]);
  });

  /** A controller that is noted and does not run, of which systemd says that. */
  async function leaveController(property: string, value: string, left = ""): Promise<void> {
    await machine.systemctl("stop");
    const lock = machine.at("usr/local/lib/fiscald/update.lock");
    placeScript(lock, `${left}services=fiscald fiscald-controller\n`);
    const shown = `"show --property=${property} --value fiscald-controller"`;
    await wrapSystemctl(
      ...[`case "$*" in ${shown}) echo ${value}; exit ;;`],
      `start*-controller*) : > ${beside("controller")}; exit ;; esac`,
    );
  }
  test.each([
    ["LoadState", "masked"],
    ["LoadState", "not-found"],
    ["UnitFileState", "disabled"],
  ])("starts no service whose %s is %s since", async (property, value) => {
    await leaveController(property, value);
    expect(await machine.update(await pack(VERSION))).toMatchObject({ code: 0, err: "" });
    expect([await health(), lockSize(), existsSync(beside("controller"))]).toEqual([200, 0, false]);
  });

  test("starts what it had stopped, whether a boot would start it or not", async () => {
    await leaveController("UnitFileState", "disabled", "since=2026-11-27T20:31:00Z\n");
    expect(await machine.update(await pack(VERSION))).toMatchObject({ code: 0, err: "" });
    expect([await health(), lockSize(), existsSync(beside("controller"))]).toEqual([200, 0, true]);
  });

  test("is no reason any more why the gateway does not run, once that has run since", async () => {
    const lock = machine.at("usr/local/lib/fiscald/update.lock");
    placeScript(lock, "services=fiscald\n");
    await machine.systemctl("stop");
    const long = Date.now() / 1_000 - 3_600;
    utimesSync(lock, long, long);
    const { code, out } = await status();
    expect([code, flat(out)]).toEqual([3, expect.not.stringContaining(DID_NOT_START)]);
  });
});
