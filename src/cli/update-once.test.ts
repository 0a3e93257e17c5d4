/**
 * One upgrade of a machine at a time, and what is told of one under way or broken off: `fiscald update`
 * on a folder that stands for a machine, as in `update.test.ts`.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../e2e/harness/until.ts";
import { installedAt, readUpdateNote } from "../update/outcome-note.ts";
import { VERSION } from "../version.ts";
import { MachineFolder } from "./testing/machine-folder.ts";

const FORMER = "0.0.1";

let machine: MachineFolder;
let state: string;
let lock: string;
beforeEach(async () => {
  machine = await MachineFolder.open(FORMER);
  [state, lock] = [machine.at("var/lib/fiscald"), machine.at("usr/local/lib/fiscald/update.lock")];
  await machine.systemctl("start");
});
afterEach(() => machine.close());

const pack = (version: string, ...lines: readonly string[]) =>
  machine.pack(version, machine.gatewayCalled(version, ...lines));
const looked = (command: "doctor" | "status") =>
  machine.run([machine.program, command, "--state-dir", state]);
const note = () => readUpdateNote(installedAt(state).note);
const health = async () => (await fetch(`${machine.url()}/health`)).status;

/** What health tells of it. */
async function updateCheck(): Promise<unknown> {
  const told: unknown = await (await fetch(`${machine.url()}/health`)).json();
  const { checks } = told as { checks: Readonly<Record<string, unknown>> };
  return checks.update;
}

/** In one line, however it was folded. */
const flat = (text: string): string => text.replace(/\s+/g, " ");

describe("an update under way", () => {
  test("keeps a second one and the installer away, and is told by status and doctor", async () => {
    const fifo = join(machine.folder, "fifo");
    await machine.run(["mkfifo", fifo]);
    const archive = await pack(
      VERSION,
      `case $1$3 in migrate*/before-upgrade) read -r _ < ${fifo} ;; esac`,
    );
    const first = machine.update(archive);
    await until("it tries the new version", () =>
      existsSync(machine.at("usr/local/lib/fiscald/natives")),
    );

    const { out, err, code } = await machine.update(archive);
    expect([code, out]).toEqual([3, ""]);
    expect(err).toMatch(
      new RegExp(
        `^fiscald: an update to ${VERSION} is under way since 20\\d\\d-\\S+ \\S+ \\(process \\d+\\); ` +
          "nothing was changed: fiscald status tells when it has ended, and what it came to\n$",
      ),
    );
    const installer = join(archive.replace(".tar.gz", ""), "install.sh");
    expect(await machine.run(["sh", installer, "--root", machine.root])).toMatchObject({
      code: 1,
      err: expect.stringContaining(`an update to ${VERSION} is under way since 20`),
    });
    const status = await looked("status");
    expect(status.out).toContain(`Update   an update to ${VERSION} is under way since 20`);
    expect([status.code, flat(status.err)]).toEqual([
      3,
      expect.stringMatching(/no gateway runs on .* under way .* wait until it has ended/),
    ]);
    expect(flat((await looked("doctor")).out)).toMatch(
      /does not run -> wait until .* warning Update: an update to .* is under way/,
    );

    writeFileSync(fifo, "\n");
    expect(await first).toMatchObject({ code: 0, err: "" });
    expect([note()?.outcome, await health(), statSync(lock).size]).toEqual(["updated", 200, 0]);
    expect(await updateCheck()).toBeUndefined();
    expect((await looked("status")).out).toContain(`Update   ${FORMER} to ${VERSION}, at 20`);
    expect((await machine.update(archive)).err).toContain("is installed already");
  });
});

/** An update to 9.9.8 that is killed, and has been let go of by the last program that it started. */
async function updateKilled(archive: string): Promise<void> {
  expect((await machine.update(archive)).code).toBe(137);
  const isFree = async () => (await machine.run(["flock", "-n", lock, "true"])).code === 0;
  await until("its programs have ended", isFree);
}

describe("an update that is killed", () => {
  test("between two versions is told at once, with the line that goes back and begins anew", async () => {
    // Its starter's starter is the update.
    const kill = '[ "$1" != serve ] || { kill -9 $(ps -o ppid= -p $PPID); exit 1; }';
    const archive = await pack("9.9.8", kill);
    await updateKilled(archive);
    const again = `fiscald update ${archive}`;
    for (const command of ["status", "doctor"] as const) {
      const { out, code } = await looked(command);
      expect(flat(out)).toMatch(
        /the update to 9\.9\.8 of 20\S+ \S+ was broken off: this machine is/,
      );
      expect([code, out]).toEqual([command === "status" ? 3 : 1, expect.stringContaining(again)]);
      expect(flat(out)).toContain(
        "the new one stays where it has taken commands for some minutes since",
      );
    }
    // Also where a person has started what is there.
    await machine.run(["rm", lock]);
    machine.install(FORMER);
    await machine.systemctl("start");
    const status = await looked("status");
    expect([status.code, status.err, status.out]).toEqual([
      // The other one is that nobody has set up a shop.
      ...[1, expect.stringContaining("2 things need a person")],
      expect.stringContaining("Update: the update to 9.9.8 was broken off"),
    ]);
    expect((await looked("doctor")).out).not.toContain("Gateway: update");
    // The portal tells it by this.
    expect(await updateCheck()).toEqual({
      ...{ status: "degraded", detail: expect.stringContaining("between two versions") },
      findings: [{ code: "update_broken_off", params: {} }],
    });
  });

  test("before anything is replaced is told, and the next one runs what it had stopped", async () => {
    const kill = `[ "$1" != migrate ] || { kill -9 $(sed -n s/^pid=//p ${lock}); exit 1; }`;
    await updateKilled(await pack("9.9.8", kill));
    const { out, code } = await looked("status");
    expect([code, flat(out)]).toEqual([3, expect.stringContaining("before it replaced anything")]);
    const next = await machine.update(await pack(VERSION));
    expect([next.code, next.err]).toEqual([0, ""]);
    expect(next.out).toStartWith("the last update was broken off\n");
    expect([note()?.outcome, await health()]).toEqual(["updated", 200]);
    expect(flat((await looked("status")).out)).not.toContain("broken off");
  });
});
