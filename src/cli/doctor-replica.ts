/** What `fiscald doctor` looks at of the live copy of the database elsewhere, where the installer has set one up. */

import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { stateFiles } from "../config/state-files.ts";
import { namesIn } from "../platform/names-in.ts";
import { lineOfUser } from "../platform/user-line.ts";
import { pathsAround, REPLICA_UNIT } from "../update/machine-paths.ts";
import { run } from "../update/run-program.ts";
import { REPLICA_CURE } from "./doctor-cures.ts";
import { error, type Finding, ok, warning } from "./doctor-findings.ts";
import { JournalClosed, newestLines } from "./log-lines.ts";

const UNIT = REPLICA_UNIT;
/** The service's, as its unit says. */
const USER = "fiscald";
/** What others may do with a file. */
const OTHERS = 0o007;
const ABOUT = "Replication";
const STANDS = "the database is not copied elsewhere";
const JOURNAL = lineOfUser("root", ["journalctl", "-u", UNIT, "-n", "20"]);
const LOOKED_AT = { lines: 200, bytesMax: 262_144 } as const;

/**
 * Nothing where nobody wants one.
 * @param told what the running gateway says of a copy that stands still; undefined where it says nothing
 */
export async function lookAtReplica(
  stateDir: string,
  told: string | undefined,
): Promise<Finding[]> {
  const paths = pathsAround(resolve(stateDir));
  if (paths === undefined || !existsSync(paths.unitOf(UNIT))) return [];
  const open = lookAtSettings(paths.copier);
  const state = await activeState();
  if (state === "active") return [...open, await lookAtCopying(told)];
  if (!existsSync(stateFiles(stateDir).replica)) {
    const text = `${STANDS}: nothing says where this state directory may be copied to, which is a new one`;
    return [
      ...open,
      error(ABOUT, text, "restore first, then install.sh --replicate: /docs/backup.html"),
    ];
  }
  const text = `${STANDS}: ${UNIT} is ${state ?? "not known to systemd"}`;
  return [...open, error(ABOUT, text, REPLICA_CURE)];
}

/** The settings of before are beside them. @param file Litestream's settings */
function lookAtSettings(file: string): Finding[] {
  const names = namesIn(dirname(file)).filter((name) => name.startsWith(basename(file)));
  const open = names
    .map((name) => join(dirname(file), name))
    .filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0);
  if (open.length === 0) return [];
  // As keep_private of systemd/steps.sh: the service's user reads them.
  const lines = [
    ["chgrp", USER],
    ["chmod", "640"],
  ].map((words) => lineOfUser("root", [...words, ...open]));
  const text = `others may read ${open.join(", ")}, in which keys may stand`;
  return [error(ABOUT, text, lines.join(" && "))];
}

/** As systemd has it; undefined where it says nothing. */
async function activeState(): Promise<string | undefined> {
  try {
    const { answer } = await run(["systemctl", "show", "--property=ActiveState", UNIT]);
    return /^ActiveState=(.+)$/m.exec(answer)?.[1];
  } catch {
    return undefined;
  }
}

/**
 * By what Litestream last said of the place: it runs on while that refuses its keys. Where it hangs it says
 * nothing, and the gateway alone sees that no more is copied.
 */
async function lookAtCopying(told: string | undefined): Promise<Finding> {
  try {
    const { lines } = await newestLines({ ...LOOKED_AT, unit: UNIT });
    const last = lines.findLast((line) => SAID_OF_PLACE.test(line)) ?? "";
    const [, reason] = FAILED.exec(last) ?? [];
    if (reason !== undefined) return error(ABOUT, `${STANDS}: ${inWords(reason)}`, JOURNAL);
    return told === undefined ? ok(ABOUT, `${UNIT} runs`) : error(ABOUT, told, REPLICA_CURE);
  } catch (fault) {
    if (!(fault instanceof JournalClosed)) throw fault;
    if (told !== undefined) return error(ABOUT, told, REPLICA_CURE);
    return warning(ABOUT, `${UNIT} runs; whether it copies, its journal tells`, JOURNAL);
  }
}

const FAILED = /level=ERROR msg="monitor error".* error=(.*)$/;
const SAID_OF_PLACE = /msg="?(replicating to|snapshot written|wal segment written|monitor error)/;

/** The last of what led to it, which names what a person can change. */
function inWords(reason: string): string {
  const text = reason.replace(/^"|"$/g, "").replaceAll('\\"', '"');
  return text.split("\\n").at(-1) ?? text;
}
