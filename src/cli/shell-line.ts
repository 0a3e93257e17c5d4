/** Lines to be pasted that run this program. */

import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { currentSurroundings } from "../config/surroundings.ts";
import { environmentName, flagName, SETTING_KEYS } from "../config.ts";
import { isCompiled } from "../platform/engine.ts";
import { isSecretName } from "../platform/redaction.ts";
import { lineOfUser, shellLine } from "../platform/user-line.ts";

const NAME = "fiscald";
const STATE_DIR = flagName("state.dir");

/**
 * A line that runs this program.
 * @param user whom it has to run as; whoever types it when undefined. To another one everything is said
 * that the environment has set here: sudo hands none of it on
 * @param words behind the program's name
 * @param secrets names of further variables whose values belong into no line
 */
export function programLine(
  user: string | undefined,
  words: readonly string[],
  secrets: readonly string[] = [],
): string {
  if (user === undefined) return shellLine([...programWords(), ...words]);
  const { environment } = currentSurroundings();
  const isGiven = (flag: string) =>
    words.some((word) => word === flag || word.startsWith(`${flag}=`));
  const set = SETTING_KEYS.filter(
    (key) => environment[environmentName(key)] && !isGiven(flagName(key)),
  );
  const stateDir = set.includes("state.dir")
    ? environment[environmentName("state.dir")]
    : undefined;
  const others = set.filter((key) => key !== "state.dir");
  // Whoever lists the processes of the machine reads the words of each.
  const [secret, shown] = [others.filter(isSecretName), others.filter((key) => !isSecretName(key))];
  const told = shown.map((key) => `${environmentName(key)}=${environment[environmentName(key)]}`);
  return lineOfUser(
    user,
    [
      ...(told.length === 0 ? [] : ["env", ...told]),
      ...[...programWords(), ...words],
      ...(stateDir === undefined ? [] : [STATE_DIR, resolve(stateDir)]),
    ],
    [...secret.map(environmentName), ...secrets.filter((name) => environment[name])],
  );
}

/**
 * What was typed, for another user of the machine.
 * @param words other ones than were typed
 */
export function typedLine(user: string, words: readonly string[] = process.argv.slice(2)): string {
  return programLine(user, words);
}

/** How this program was called, as words of a command line. */
export function programWords(): string[] {
  if (!isCompiled()) return ["bun", shortened(Bun.main)];
  return [isOnThePath() ? NAME : shortened(process.execPath)];
}

/** The same for a shell that stands in any folder. */
export function programWordsAnywhere(): string[] {
  return programWords().map((word) => (word.includes("/") ? resolve(word) : word));
}

function isOnThePath(): boolean {
  const found = Bun.which(NAME);
  return found !== null && realpathSync(found) === realpathSync(process.execPath);
}

/** A path from the working folder where that is not longer. */
function shortened(path: string): string {
  const near = relative(process.cwd(), path);
  const command = near.includes("/") ? near : `./${near}`;
  return command.length <= path.length ? command : path;
}
