/** Backups beside a gateway that goes on trading, and what a restored one holds to. */

import { Database } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { Decrypter } from "age-encryption";
import { readOutcome } from "../backup/kept-backups.ts";
import { startsFile } from "../config/state-files.ts";
import { Box } from "./harness/box.ts";
import { registerShop, startGateway } from "./harness/gateway.ts";
import { startOwnProcess } from "./harness/own-process.ts";
import { executable } from "./harness/program.ts";
import { type Ended, runToEnd } from "./harness/run-to-end.ts";
import { Terminal } from "./harness/terminal.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import { accept, receiptsOf, sellKeyed } from "./outages/restored.ts";
import { COMPLETED, endOf, inWorld, sell, statusOf, untilAlert } from "./outages/scene.ts";

let program: string;
beforeAll(async () => {
  program = await executable();
});

const PASSPHRASE = "a passphrase for tests";
const stateOf = ({ folder }: World): string => join(folder, "state");
const backupsIn = (stateDir: string): string[] => readdirSync(join(stateDir, "backups"));

/** A backup's command line. @param more beside the usual, which is a key that costs little */
function backupWords(stateDir: string, more: readonly string[] = []): string[] {
  const file = join(stateDir, "..", "passphrase");
  writeFileSync(file, `${PASSPHRASE}\n`);
  return [
    ...[program, "backup", "--json", "--state-dir", stateDir],
    ...["--backup-passphrase-file", file, "--backup-work-factor", "10", ...more],
  ];
}

/** Makes a backup. @returns path of the file */
async function backUp(stateDir: string, more: readonly string[] = []): Promise<string> {
  const { out, err, code } = await runToEnd(backupWords(stateDir, more));
  expect([err, code]).toEqual(["", 0]);
  return JSON.parse(out).file;
}

function restore(file: string, stateDir: string, passphrase = PASSPHRASE): Promise<Ended> {
  const words = ["restore", file, "--passphrase-stdin", "--state-dir", stateDir];
  return runToEnd([program, ...words], { stdin: `${passphrase}\n` });
}

/** A state directory with a database and a profile, which nobody works on. */
async function newState(box: Box): Promise<string> {
  const { code } = await runToEnd([program, "migrate", "--state-dir", box.stateDir]);
  expect(code).toBe(0);
  mkdirSync(join(box.stateDir, "drivers"));
  writeFileSync(join(box.stateDir, "drivers", "own.json"), "{}");
  return box.stateDir;
}

async function inBox(use: (stateDir: string, box: Box) => Promise<void>): Promise<void> {
  const box = new Box();
  try {
    await use(await newState(box), box);
  } finally {
    await box.clear();
  }
}

test.concurrent("a backup made while tills sell is whole, and its restored state holds the printer", () =>
  inWorld({}, async (world) => {
    const stateDir = stateOf(world);
    expect(endOf(await sell(world))).toEqual(COMPLETED);
    let isOver = false;
    const sold: string[] = [];
    const tills = (async () => {
      for (let sale = 1; !isOver; sale += 1) {
        const { body } = await sellKeyed(world, `load-${sale}`);
        expect(endOf(await world.till.wait(body.command.id))).toEqual(COMPLETED);
        sold.push(body.command.id);
      }
    })();
    await until("a till at work", () => sold.length > 2);
    await backUp(stateDir);
    const before = sold.slice();
    const file = await backUp(stateDir);
    const during = sold.slice(before.length);
    isOver = true;
    await tills;
    // Whether it was printed is all that a till can know, and the backup knows nothing of it.
    const { body } = await sellKeyed(world, "sale-2");
    expect(endOf(await world.till.wait(body.command.id))).toEqual(COMPLETED);
    const printed = await receiptsOf(world);
    const settings = readFileSync(join(stateDir, "fiscald.toml"));

    expect(await restore(file, stateDir)).toMatchObject({ code: 3, out: "" });
    await world.killGateway();
    writeFileSync(join(stateDir, "fiscald.toml"), "");
    // As on a new machine, whose gateway was hardly started.
    writeFileSync(startsFile(stateDir), `${"1".padStart(16, "0")} ${"2".padStart(16, "0")}\n`);
    const { out, code } = await restore(file, stateDir);
    expect(code).toBe(1);
    expect(out).toContain("Printer: each is asked for its last receipt");
    const [, since] = /The old state knows of (\d+) receipts and \d+ commands/.exec(out) ?? [];
    const sinceAtMost = sold.length - before.length + 1;
    expect([Number(since) > 0, Number(since) <= sinceAtMost]).toEqual([true, true]);
    expect(out).toContain("compare them with paper and tills");
    const [, old = ""] = /\n {2}\S+ command list --state-dir (\S+)\n/.exec(out) ?? [];
    const listed = await runToEnd([program, "command", "list", "--json", "--state-dir", old]);
    expect(listed.out).toContain(body.command.id);
    expect(readFileSync(join(stateDir, "fiscald.toml"))).toEqual(settings);
    const [aside = ""] = readdirSync(stateDir).filter((name) => name.includes("before-restore"));
    expect(statSync(join(stateDir, aside, "fiscald.db")).size).toBeGreaterThan(0);

    await world.restartGateway();
    await untilAlert(world, "state_restored");
    const kept = await receiptCommands(world);
    for (const id of before) {
      expect([kept.has(id), await statusOf(world, id)]).toEqual([true, "completed"]);
    }
    // Of one that was sold meanwhile the backup has all or nothing, or waits for the printer's word.
    const left = new Set((await world.till.list()).map(({ id }) => id));
    for (const id of during.filter((each) => left.has(each) && kept.has(each))) {
      expect(await statusOf(world, id)).toBe("completed");
    }
    const again = (await sellKeyed(world, "sale-2")).body.command.id;
    expect(await statusOf(world, again)).toBe("pending");
    expect((await accept(world)).status).toBe(200);
    expect(endOf(await world.till.wait(again))).toMatchObject({ outcome: "unknown" });
    expect(await receiptsOf(world)).toBe(printed);
  }));

/** The commands that there is a receipt of. A quick machine sells more than a page holds. */
async function receiptCommands({ till }: World): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let place = ""; ; ) {
    const { receipts, hasMore, lastId } = await till.expect<{
      receipts: { commandId: string }[];
      hasMore: boolean;
      lastId: string;
    }>("GET", `/receipts?limit=100${place}`);
    for (const { commandId } of receipts) found.add(commandId);
    if (!hasMore) return found;
    place = `&startAfter=${lastId}`;
  }
}

test.concurrent("a gateway says long before the hour that the next one cannot be made", () =>
  inBox(async (stateDir, box) => {
    const words = ["--backup-passphrase-file", join(box.folder, "nowhere")];
    const gateway = box.keep(await startGateway(stateDir, { args: words }));
    await until("the finding", async () => {
      const health = await (await fetch(`${gateway.url}/health`)).text();
      return /no backup can be made: the passphrase cannot be read/.test(health);
    });
    const { out } = await runToEnd([program, "doctor", "--state-dir", stateDir, ...words]);
    expect(out).toContain("ERROR   Gateway: backup: no backup can be made: ");
    expect(out).not.toContain(" Backup: ");
    // An owner who mends it need not wait for the next look to see that.
    const { owner } = await registerShop(gateway.url);
    await owner.expect("PATCH", "/backups/settings", { passphrase: PASSPHRASE });
    expect(await (await fetch(`${gateway.url}/health`)).text()).not.toContain("no backup can be");
  }));

test.concurrent("a restored state without a shop, or without a printer, is told with what that means", () =>
  inBox(async (stateDir, box) => {
    const told = async (): Promise<[number, string]> => {
      const { code, out } = await restore(await backUp(stateDir), join(box.folder, "new"));
      return [code, out.replace(/\s+/g, " ").replace(/^.*setting backup.passphraseFile. /, "")];
    };
    expect(await told()).toEqual([
      1,
      expect.stringMatching(/^Needs a person: - It holds no shop: .* another generation\. Then: /),
    ]);
    const gateway = box.keep(await startGateway(stateDir));
    const { owner } = await registerShop(gateway.url);
    expect(await told()).toEqual([
      1,
      expect.stringMatching(/^Needs a person: - It knows no printer: .* again\. Then: /),
    ]);
    await owner.expect("POST", "/devices", {
      ...{ name: "Counter", driver: "vendorA.isl", transport: "bluetooth", locationId: "shop" },
      ...{ connectionParams: { address: "AA:BB:CC:DD:EE:FF" }, managedBy: "remote" },
    });
    expect(await told()).toEqual([0, expect.stringMatching(/^Nothing else needs a person\./)]);
  }));

test.concurrent("a gateway makes one when it is asked to, and tells how it ended by event", () =>
  inBox(async (stateDir, box) => {
    const passphrase = join(box.folder, "passphrase");
    const words = ["--backup-passphrase-file", passphrase, "--backup-work-factor", "10"];
    // As a backup leaves it that was broken off.
    const work = join(stateDir, "fiscald.backup");
    mkdirSync(work);
    writeFileSync(join(work, "fiscald.db"), "a copy");
    const gateway = box.keep(await startGateway(stateDir, { args: words }));
    expect(readdirSync(work)).toEqual(["fiscald.lock"]);
    const { owner } = await registerShop(gateway.url);
    const problemNow = async () => (await owner.expect<Backups>("GET", "/backups")).problem;
    expect(await problemNow()).toContain("the passphrase cannot be read");
    // Whoever puts it there by hand looks at once.
    writeFileSync(passphrase, `${PASSPHRASE}\n`);
    expect(await problemNow()).toBeNull();
    const listener = new AbortController();
    const stream = await fetch(`${gateway.url}/api/v1/events/stream`, {
      headers: { authorization: `Bearer ${owner.credential}` },
      signal: listener.signal,
    });
    const told = readUntil(stream, /"type":"backup\.failed"/);
    expect((await owner.call("POST", "/backups", { body: {} })).status).toBe(202);
    await until("the backup", async () => {
      const { last, startedAt } = await owner.expect<Backups>("GET", "/backups");
      return startedAt === null && last !== null;
    });
    const [first = ""] = backupsIn(stateDir);
    expect(first).toMatch(/^fiscald-.*Z-by-hand\.tar\.gz\.age$/);
    // What a person had made stays, also when another is made on that day.
    expect((await owner.call("POST", "/backups", { body: {} })).status).toBe(202);
    await until("the second backup", async () => {
      const { backups, startedAt } = await owner.expect<Backups>("GET", "/backups");
      return startedAt === null && backups.length === 2;
    });
    expect(backupsIn(stateDir)).toContain(first);

    writeFileSync(passphrase, "short\n");
    expect((await owner.call("POST", "/backups", { body: {} })).status).toBe(202);
    expect(await told).toMatch(/"type":"backup\.completed".*"name":"fiscald-.*must have 12/s);
    listener.abort();
    const { problem } = await owner.expect<Backups>("GET", "/backups");
    expect(problem).toContain("the passphrase must have 12");
    const health: unknown = await (await fetch(`${gateway.url}/health`)).json();
    expect(health).toMatchObject({ checks: { backup: { status: "degraded", detail: problem } } });
    // As doctor tells: one that is made there by hand ends that, and none that goes elsewhere.
    writeFileSync(passphrase, `${PASSPHRASE}\n`);
    const byHand = [program, "backup", "--state-dir", stateDir, ...words];
    const failed = async () => (await owner.expect<Backups>("GET", "/backups")).failed;
    expect(await runToEnd([...byHand, "--to", box.folder])).toMatchObject({ code: 0 });
    expect(await runToEnd([...byHand, "--backup-command", "false"])).toMatchObject({ code: 3 });
    expect((await failed())?.reason).toContain("must have 12");
    expect(await runToEnd(byHand)).toMatchObject({ code: 0 });
    expect(await failed()).toBeNull();
    expect(gateway.output()).not.toContain(PASSPHRASE);
    expect(await gateway.stop()).toBe(0);
  }));

test.concurrent("an owner chooses the passphrase while the gateway runs, and a backup is made with it", () =>
  inBox(async (stateDir, box) => {
    const gateway = box.keep(
      await startGateway(stateDir, { args: ["--backup-work-factor", "10"] }),
    );
    const { owner } = await registerShop(gateway.url);
    expect((await owner.call("POST", "/backups", { body: {} })).status).toBe(409);
    const choice = { passphrase: PASSPHRASE, at: "02:30" };
    await owner.expect("PATCH", "/backups/settings", choice);
    expect((await owner.call("POST", "/backups", { body: {} })).status).toBe(202);
    const look = () => owner.expect<Backups>("GET", "/backups");
    await until("the backup", async () => {
      const { last, startedAt } = await look();
      return startedAt === null && last !== null;
    });
    const [name = ""] = backupsIn(stateDir);
    const file = join(stateDir, "backups", name);
    const { restore: lines, nextAt } = await look();
    expect(lines).toEqual([expect.stringContaining(`restore ${file} --state-dir ${stateDir}`)]);
    expect(new Date(nextAt ?? 0).toTimeString()).toStartWith("02:30");
    expect(statSync(join(stateDir, "fiscald.passphrase")).mode & 0o777).toBe(0o600);
    expect(gateway.output()).not.toContain(PASSPHRASE);
    await gateway.kill();

    // The command line sees what was chosen, and may have the last word.
    const words = [program, "config", "--json", "--state-dir", stateDir];
    const settingsOf = async (...more: readonly string[]) =>
      JSON.parse((await runToEnd([...words, ...more])).out).settings["backup.at"];
    expect(await settingsOf()).toEqual({ value: "02:30", source: "portal" });
    expect(await settingsOf("--backup-at", "04:00")).toEqual({ value: "04:00", source: "flag" });
    expect((await restore(file, stateDir)).code).toBeLessThan(2);
    const kept = readdirSync(stateDir);
    expect(kept).toEqual(expect.arrayContaining(["fiscald.chosen.toml", "fiscald.passphrase"]));
    const [aside = ""] = kept.filter((one) => one.includes("before-restore"));
    expect(readdirSync(join(stateDir, aside))).toContain("fiscald.chosen.toml");

    // On another machine the passphrase is not there: no night without a word of it.
    const elsewhere = join(stateDir, "..", "elsewhere");
    const restored = await restore(file, elsewhere);
    expect(restored.out).not.toContain("none is made by itself");
    expect(restored).toMatchObject({ code: 1, out: expect.stringContaining("Nightly backups:") });
    const doctor = [program, "doctor", "--state-dir", elsewhere];
    const gone = "no backup is made: the passphrase that encrypts it is not on this machine";
    expect((await runToEnd(doctor)).out).toContain(`ERROR   Backup: ${gone}`);
    const other = box.keep(await startGateway(elsewhere));
    const health: unknown = await (await fetch(`${other.url}/health`)).json();
    expect(health).toMatchObject({ checks: { backup: { status: "degraded" } } });
    for (const command of ["status", "doctor"]) {
      const { out } = await runToEnd([program, command, "--state-dir", elsewhere]);
      expect(out.replace(/\s+/g, " ")).toContain(gone);
    }
  }));

interface Backups {
  readonly backups: readonly object[];
  readonly last: object | null;
  readonly nextAt: string | null;
  readonly restore: readonly string[];
  readonly startedAt: string | null;
  readonly problem: string | null;
  readonly failed: { readonly reason: string } | null;
}

/** What a stream says up to a text. */
async function readUntil({ body }: Response, text: RegExp): Promise<string> {
  let said = "";
  const decoder = new TextDecoder();
  for await (const part of body ?? []) {
    said += decoder.decode(part, { stream: true });
    if (text.test(said)) break;
  }
  return said;
}

describe("a backup", () => {
  test.concurrent("that is killed halfway leaves no backup behind, and the next one tidies up", () =>
    inBox(async (stateDir) => {
      const work = join(stateDir, "fiscald.backup");
      const killed = startOwnProcess(backupWords(stateDir, ["--backup-work-factor", "18"]));
      await until("its copy", () => existsSync(join(work, "fiscald.db")));
      // It stands still, so that it cannot end before it is killed.
      process.kill(killed.pid, "SIGSTOP");
      const second = await runToEnd(backupWords(stateDir));
      expect([second.code, second.err]).toEqual([
        3,
        expect.stringContaining("another backup is being"),
      ]);
      await killed.kill();
      expect(backupsIn(stateDir).filter((name) => name.endsWith(".age"))).toEqual([]);
      await backUp(stateDir);
      expect(readdirSync(work)).toEqual(["fiscald.lock"]);
      expect(backupsIn(stateDir)).toHaveLength(1);
    }));

  test.concurrent("that goes elsewhere is not that of the usual place", () =>
    inBox(async (stateDir, box) => {
      const away = join(box.folder, "away");
      mkdirSync(away);
      const file = await backUp(stateDir, ["--to", away]);
      expect(readOutcome(stateDir)).toMatchObject({ last: { file }, usual: null });
      const usual = await backUp(stateDir);
      const again = await backUp(stateDir, ["--to", away]);
      expect(readOutcome(stateDir)).toMatchObject({
        last: { file: again },
        usual: { file: usual },
      });
    }));

  test.concurrent("is a tar archive in the age format, of database, settings and profiles", () =>
    inBox(async (stateDir) => {
      const elsewhere = join(stateDir, "..", "copy");
      const file = await backUp(stateDir, ["--backup-command", `cp "$1" '${elsewhere}'`]);
      const decrypter = new Decrypter();
      decrypter.addPassphrase(PASSPHRASE);
      const archive = await decrypter.decrypt(readFileSync(elsewhere));
      writeFileSync(`${elsewhere}.tar.gz`, archive);
      const { out } = await runToEnd(["/usr/bin/tar", "-tzf", `${elsewhere}.tar.gz`]);
      const names = ["files/drivers/own.json", "files/fiscald.toml", "fiscald.db"];
      expect(out.trim().split("\n")).toEqual(["manifest.json", ...names]);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }));

  test.concurrent("holds what links lead to, and names a file whose name does not fit", () =>
    inBox(async (stateDir, box) => {
      const elsewhere = join(box.folder, "profiles");
      mkdirSync(elsewhere);
      writeFileSync(join(elsewhere, "shop.json"), "{}");
      for (const [name, to] of [
        ["fiscald.toml", join(box.folder, "settings.toml")],
        ["drivers", elsewhere],
      ] as const) {
        rmSync(join(stateDir, name), { recursive: true, force: true });
        symlinkSync(to, join(stateDir, name));
      }
      writeFileSync(join(box.folder, "settings.toml"), "[backup]\nkeep = 7\n");
      symlinkSync(join(box.folder, "nowhere"), join(stateDir, "fiscald.link"));
      const target = join(box.folder, "target");
      expect((await restore(await backUp(stateDir), target)).code).toBe(1);
      expect(readFileSync(join(target, "drivers", "shop.json"), "utf8")).toBe("{}");
      expect(readFileSync(join(target, "fiscald.toml"), "utf8")).toContain("keep = 7");
      const long = `${"long ".repeat(20)}.json`;
      writeFileSync(join(elsewhere, long), "{}");
      const { code, err } = await runToEnd(backupWords(stateDir));
      expect([code, err]).toEqual([3, expect.stringContaining(`drivers/${long} cannot be`)]);
      expect(err).toMatch(
        /no backup was made: .*: give it one of 94 bytes or less with its folder/,
      );
    }));

  test.concurrent("is told to be here alone where the shop's command fails, without its key", () =>
    inBox(async (stateDir) => {
      // As a shell does that is told to trace.
      const command = "--backup-command=set -x; KEY=k3y-of-the-store exec false";
      const { code, out, err } = await runToEnd([...backupWords(stateDir), command]);
      expect([code, out]).toEqual([3, ""]);
      expect(err).toMatch(/\.age is made, but backup\.command ended with 1: .*\[secret\]/);
      expect(err).not.toContain("k3y-of-the-store");
    }));

  test.concurrent.each(["SIGTERM", "SIGHUP"] as const)(
    "takes the shop's command along where it is ended by %s",
    (signal) =>
      inBox(async (stateDir, box) => {
        const file = join(stateDir, "..", "child");
        const command = `sleep 600 & echo $! > '${file}'; wait`;
        const words = backupWords(stateDir, ["--backup-command", command]);
        const backup = box.keep(startOwnProcess(words));
        const child = await until("the command", () =>
          existsSync(file) ? Number(readFileSync(file, "utf8")) || undefined : undefined,
        );
        process.kill(backup.pid, signal);
        expect(await backup.exited).toBe(3);
        expect(backup.output()).toContain("is made, but backup.command was ended by SIGTERM");
        await until("its end", () => !existsSync(`/proc/${child}`) || undefined);
      }),
  );

  test.concurrent("that is not what it was is refused, and nothing is changed", () =>
    inBox(async (stateDir) => {
      const file = await backUp(stateDir);
      const target = join(stateDir, "..", "target");
      const bytes = readFileSync(file);
      const changed = Uint8Array.from(bytes);
      changed[bytes.length >> 1] = (changed[bytes.length >> 1] ?? 0) ^ 1;
      const damaged = join(stateDir, "..", "damaged");
      for (const content of [changed, bytes.subarray(0, -9), Buffer.from("no backup"), ""]) {
        writeFileSync(damaged, content);
        expect(await restore(damaged, target)).toMatchObject({ code: 2, out: "" });
      }
      const wrong = await restore(file, target, "another passphrase");
      expect([wrong.code, wrong.err]).toEqual([
        2,
        expect.stringContaining("the passphrase is not"),
      ]);
      expect(existsSync(target)).toBe(false);
      mkdirSync(target, { mode: 0o700 });
      // As a restore leaves it that was broken off.
      writeFileSync(join(target, "fiscald.db.damaged"), "");
      const started = await runToEnd([program, "serve", "--state-dir", target]);
      expect([started.code, existsSync(join(target, "fiscald.db"))]).toEqual([3, false]);
      // The same with the backup as it was made.
      expect(await restore(file, target)).toMatchObject({ code: 1 });
      expect(readFileSync(join(target, "drivers", "own.json"), "utf8")).toBe("{}");
    }));

  test.concurrent("made before the passphrase was changed is opened by the one of that time", () =>
    inBox(async (stateDir, box) => {
      const file = await backUp(stateDir);
      const present = join(box.folder, "present");
      const into = (target: string) => [
        ...[program, "restore", file, "--state-dir", target, "--backup-passphrase-file", present],
      ];
      const line = into(stateDir);
      const cure = "give the one of that time with --passphrase-stdin";
      const absent = await runToEnd(line);
      expect([absent.code, absent.err]).toEqual([
        2,
        expect.stringMatching(new RegExp(`cannot be read: .*${present}.*: ${cure}\\n$`)),
      ]);
      writeFileSync(present, "another passphrase\n");
      const wrong = await runToEnd(line);
      expect([wrong.code, wrong.err]).toEqual([
        2,
        "fiscald: nothing was restored: the passphrase is not the one that the backup was made with; " +
          `it is what ${present} begins with: ${cure}\n`,
      ]);
      for (const [target, told] of [
        [stateDir, `it is what ${present} begins with`],
        [join(box.folder, "target"), "the passphrase cannot be read"],
      ] as const) {
        const terminal = box.keep(new Terminal(into(target), box.folder));
        await terminal.sees(told);
        await terminal.answers("Passphrase of the backup", PASSPHRASE);
        // It holds no shop, which a person has to be told.
        expect(await terminal.exited).toBe(1);
        await terminal.sees("Restored");
        rmSync(present, { force: true });
      }
    }));

  test.concurrent("may be a bare database, as other tools copy one: it is checked alike", () =>
    inBox(async (stateDir) => {
      const copy = join(stateDir, "..", "copy.db");
      const database = new Database(join(stateDir, "fiscald.db"));
      database.run(`VACUUM INTO '${copy}'`);
      database.close();
      // What is in its log alone belongs to it.
      const copied = new Database(copy);
      copied.run("PRAGMA journal_mode = WAL");
      copied.run("INSERT INTO appliance_values (name, value) VALUES ('in the log', 'x')");
      for (const part of ["", "-wal"]) copyFileSync(`${copy}${part}`, `${copy}.2${part}`);
      copied.close();
      for (const part of ["", "-wal"]) renameSync(`${copy}.2${part}`, `${copy}${part}`);
      const restoring = [program, "restore", copy, "--state-dir", stateDir];
      const { out, code } = await runToEnd(restoring);
      expect([code, out]).toEqual([1, expect.stringContaining("a bare database")]);
      // Nobody knows whether some were made by themselves where it comes from.
      expect(out).toMatch(/Backups +none is made by itself: /);
      const restored = new Database(join(stateDir, "fiscald.db"));
      expect(
        restored.query("SELECT value FROM appliance_values WHERE name = 'in the log'").get(),
      ).toEqual({ value: "x" });
      restored.close();
      // Settings and profiles stay.
      const aside = readdirSync(stateDir).filter((name) => name.includes("before-restore"));
      const gone = aside.flatMap((name) => readdirSync(join(stateDir, name))).sort();
      // What it knew was read: SQLite leaves files of its own beside it.
      const own = gone.filter((name) => !/-(shm|wal)$/.test(name));
      expect(own).toEqual(["fiscald.db", "starts"]);
      const bytes = readFileSync(copy);
      writeFileSync(copy, bytes.fill(0xff, 8_192, 40_000));
      expect(await runToEnd(restoring)).toMatchObject({ code: 2, out: "" });
    }));

  test.concurrent("of the night is kept of so many days, the newest of each, and nobody else's is removed", () =>
    inBox(async (stateDir) => {
      const made = await backUp(stateDir, ["--nightly"]);
      const host = hostOf(made);
      const old = ["20260101T010000Z", "20260101T020000Z", "20260102T010000Z"];
      const names = [...old.map((at) => `${host}-${at}`), "fiscald-other-20200101T010000Z"];
      placeCopies(made, names);
      await backUp(stateDir, ["--nightly", "--backup-keep", "3"]);
      const left = namesIn(stateDir);
      expect(left).toContain("fiscald-other-20200101T010000Z");
      const own = left.filter((name) => name.startsWith(host));
      expect(own).toHaveLength(3);
      expect(own).toContain(`${host}-20260102T010000Z`);
      expect(own).toContain(`${host}-20260101T020000Z`);
    }));

  test.concurrent("made by hand and one of the night stand beside each other, with a bound on both", () =>
    inBox(async (stateDir) => {
      const keep = ["--backup-keep", "2"];
      const byHand = await backUp(stateDir, keep);
      expect(byHand).toMatch(/Z-by-hand\.tar\.gz\.age$/);
      const night = await backUp(stateDir, ["--nightly", ...keep]);
      const again = await backUp(stateDir, keep);
      expect(backupsIn(stateDir).sort()).toEqual(
        [byHand, night, again].map((path) => basename(path)).sort(),
      );

      const host = hostOf(byHand);
      const days = ["01", "02", "03", "04"].flatMap((day) => [
        `${host}-202601${day}T010000Z-by-hand`,
        `${host}-202601${day}T020000Z-by-hand`,
      ]);
      placeCopies(byHand, days);
      const later = await backUp(stateDir, ["--nightly", ...keep]);
      // The other one of tonight is replaced; of those by hand the newest five stay.
      const stay = [byHand, again, later].map((path) => basename(path).replace(/\.tar.*/, ""));
      expect(namesIn(stateDir).sort()).toEqual([...stay, ...days.slice(-3)].sort());
      const listed = await runToEnd([
        program,
        "backup",
        "--list",
        "--json",
        "--state-dir",
        stateDir,
      ]);
      expect(JSON.parse(listed.out).backups).toHaveLength(6);
    }));

  test.concurrent("in a folder that machines of one name share leaves what the others made alone", () =>
    inBox((stateDir, box) =>
      inBox(async (other) => {
        const shared = join(box.folder, "shared");
        mkdirSync(shared);
        const words = ["--nightly", "--backup-to", shared, "--backup-keep", "2"];
        const [first, second] = [await backUp(stateDir, words), await backUp(other, words)];
        const unfinished = `${basename(first).replace(/\d{8}T/, "20260101T")}.part`;
        writeFileSync(join(shared, unfinished), "under way");
        const third = await backUp(other, words);
        const left = [unfinished, ...[first, third].map((path) => basename(path))];
        expect(second).not.toBe(third);
        expect(readdirSync(shared).sort()).toEqual(left.sort());
        expect((await restore(first, join(box.folder, "new"))).code).toBe(1);
      }),
    ));

  test.concurrent("of an earlier version, without a mark in its name, goes by its age", () =>
    inBox(async (stateDir) => {
      const keep = ["--nightly", "--backup-keep", "3"];
      const made = await backUp(stateDir, keep);
      const host = hostOf(made);
      const unmarked = host.replace(/-[0-9a-f]{6}$/, "");
      expect(unmarked).not.toBe(host);
      const own = ["20260103T010000Z", "20260104T010000Z"].map((at) => `${host}-${at}`);
      const earlier = ["01", "02", "03", "04"].flatMap((day) =>
        ["00", "02"].map((hour) => `${unmarked}-202601${day}T${hour}0000Z`),
      );
      placeCopies(made, [...own, ...earlier]);
      const later = await backUp(stateDir, keep);
      const stay = [basename(later).replace(/\.tar.*/, ""), ...own];
      // Three days are there that are newer than what goes.
      expect(namesIn(stateDir).sort()).toEqual([...stay, ...earlier.slice(5)].sort());
      for (const name of own) rmSync(join(stateDir, "backups", `${name}.tar.gz.age`));
      rmSync(later);
      const listed = await runToEnd([
        ...[program, "backup", "--list", "--json", "--state-dir", stateDir],
      ]);
      const [newest] = JSON.parse(listed.out).backups;
      expect(basename(newest.file)).toBe(`${earlier.at(-1)}.tar.gz.age`);
      expect((await restore(newest.file, join(stateDir, "..", "new"))).code).toBe(1);
      // Where nothing newer is left, none goes.
      await backUp(stateDir, keep);
      expect(namesIn(stateDir).filter((name) => earlier.includes(name))).toHaveLength(3);
    }));

  test.concurrent("stays beside those that a clock made which was ahead", () =>
    inBox(async (stateDir) => {
      const keep = ["--nightly", "--backup-keep", "2"];
      const made = await backUp(stateDir, keep);
      const host = hostOf(made);
      const ahead = ["01", "02", "03"].map((day) => `${host}-209901${day}T010000Z`);
      placeCopies(made, ahead);
      const later = await backUp(stateDir, keep);
      expect(namesIn(stateDir).sort()).toEqual(
        [basename(later).replace(/\.tar.*/, ""), ...ahead].sort(),
      );
    }));

  test.concurrent("to a relative folder is found again from wherever somebody stands", () =>
    inBox(async (stateDir, box) => {
      mkdirSync(join(box.folder, "stick"));
      const made = await runToEnd(backupWords(stateDir, ["--to", "stick"]), { cwd: box.folder });
      expect(made.code).toBe(0);
      const whole = join(box.folder, "stick", basename(JSON.parse(made.out).file));
      expect(JSON.parse(made.out).file).toBe(whole);
      writeFileSync(join(stateDir, "fiscald.db"), "spoilt");
      const checked = await runToEnd([program, "check", "--state-dir", stateDir], { cwd: "/" });
      expect(checked.err).toContain(`restore ${whole} --state-dir ${stateDir}`);
    }));

  test.concurrent("made by hand stays of as many days as one of the night", () =>
    inBox(async (stateDir) => {
      const made = await backUp(stateDir);
      const host = hostOf(made);
      const days = Array.from(
        { length: 8 },
        (_, day) => `${host}-2026010${day + 1}T010000Z-by-hand`,
      );
      placeCopies(made, days);
      await backUp(stateDir, ["--backup-keep", "7"]);
      // Today's two are among the newest five, and one day.
      const old = namesIn(stateDir).filter((name) => name.includes("-202601"));
      expect(old.sort()).toEqual(days.slice(-6));
    }));
});

const hostOf = (file: string): string => /fiscald-[^/]*(?=-\d{8}T)/.exec(basename(file))?.[0] ?? "";
const namesIn = (stateDir: string): string[] =>
  backupsIn(stateDir).map((name) => name.replace(/\.tar.*/, ""));

function placeCopies(file: string, names: readonly string[]): void {
  for (const name of names) copyFileSync(file, join(file, "..", `${name}.tar.gz.age`));
}
