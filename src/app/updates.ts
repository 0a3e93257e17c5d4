/** Versions of this program: the one that runs, a newer one, and what the last update came to. */

import { existsSync } from "node:fs";
import { basename } from "node:path";
import { appliedAt } from "#db/migrate.ts";
import type { UpdatesPort } from "../modules/updates/routes.ts";
import type { Update } from "../modules/updates/schema.ts";
import { errorText } from "../platform/thrown.ts";
import { lineOfUser, shellLine } from "../platform/user-line.ts";
import { upgradeBetween } from "../update/broken-upgrade.ts";
import { installedAt, readUpdateNote } from "../update/outcome-note.ts";
import { newestAt } from "../update/published.ts";
import { readKey } from "../update/release-archive.ts";
import type { Foundation } from "./parts.ts";
import { ranVersions } from "./ran-versions.ts";

/** How often it looks by itself, where it is told where. */
const CHECK_MS = 86_400_000;
/** A start has more to do. */
const FIRST_CHECK_MS = 600_000;

/** Looks for versions, from now on by itself too. */
export function createUpdates(
  foundation: Pick<
    Foundation,
    "config" | "clock" | "database" | "log" | "stores" | "stopping" | "timers"
  >,
  version: string,
): UpdatesPort {
  const { config, clock, database, log, stores, timers, stopping } = foundation;
  const from = config["update.from"];
  const machine = installedAt(config["state.dir"]);
  let newest: Update["newest"] = null;
  let problem: string | null = null;
  let lacksKey = false;
  // Nothing is installed by a key but what an archive brought here.
  const hasKey = () => machine.by !== "archive" || existsSync(machine.publicKey);
  const check = async (): Promise<void> => {
    try {
      lacksKey = true;
      const key = readKey(machine.publicKey, machine.otherWay);
      lacksKey = false;
      const found = await newestAt(from, key);
      const isNewer = Bun.semver.order(found.version, version) > 0;
      newest = { ...found, isNewer, checkedAt: new Date(clock.now()).toISOString() };
      problem = null;
    } catch (error) {
      problem = errorText(error);
      log.warn("newer versions not looked for", { reason: problem });
    }
  };
  const checkIn = (ms: number): void => {
    if (!stopping.aborted) {
      timers.set("versions", clock.now() + ms, () => void check().then(() => checkIn(CHECK_MS)));
    }
  };
  if (from !== "") checkIn(FIRST_CHECK_MS);
  return {
    look: () => ({
      ...{ version, newest, problem, installedBy: machine.by, architecture: process.arch },
      canLook: from !== "",
      ...{ place: from === "" ? null : withoutLogin(from), lacksKey: lacksKey || !hasKey() },
      commands: hasKey() ? commandsFor(machine.by, newest) : keylessCommands(machine.by),
      last: readUpdateNote(machine.note),
      brokenOff: brokenOff(config["state.dir"]),
      versions: ranVersions(stores.appliance).toReversed(),
      migrations: appliedAt(database)
        .map(({ name, at }) => ({ name, at: new Date(at).toISOString() }))
        .toReversed(),
    }),
    async check() {
      if (from === "") return false;
      await check();
      return true;
    },
  };
}

function brokenOff(stateDir: string): Update["brokenOff"] {
  const found = upgradeBetween(stateDir);
  if (found === undefined) return null;
  const { to = null, since = null } = found.note;
  return { to, since, command: found.line };
}

/** Whoever reads where it looks is not told with which password. */
function withoutLogin(place: string): string {
  return place.replace(/^(https?:\/\/)[^/@]*@/, "$1");
}

/** @param file may hold marks for what is not known yet, as `<version>`, which are not quoted */
function lineWith(words: readonly string[], file: string): string {
  return lineOfUser("root", [...words, "FILE"]).replace("FILE", () => file);
}

function updateLine(archive: string): string {
  return lineOfUser("root", ["fiscald", "update", archive]);
}

/** The same where nobody has said whose releases are taken: the installer asks for no key. */
function keylessCommands(by: Update["installedBy"]): string[] {
  if (by !== "archive") return commandsFor(by, null);
  const name = `fiscald-<version>-linux-${process.arch}`;
  return [`tar -xzf ${name}.tar.gz`, lineWith([], `${name}/install.sh`)];
}

/** What a person types at the machine. */
function commandsFor(by: Update["installedBy"], newest: Update["newest"]): string[] {
  const version = newest?.isNewer === true ? newest.version : "<version>";
  if (by === "hand") return [];
  if (by === "package") {
    const architecture = process.arch === "x64" ? "amd64" : process.arch;
    return [lineWith(["apt", "install"], `./fiscald_${version}_${architecture}.deb`)];
  }
  if (newest?.isNewer !== true) {
    return [lineWith(["fiscald", "update"], `fiscald-${version}-linux-${process.arch}.tar.gz`)];
  }
  const { archive } = newest;
  if (!/^https?:/.test(archive)) return [updateLine(archive)];
  return [
    ...[archive, `${archive}.minisig`].map((file) => shellLine(["curl", "-fLO", file])),
    updateLine(basename(new URL(archive).pathname)),
  ];
}
