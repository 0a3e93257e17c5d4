/** Command lines to be pasted into a shell, by whoever they are to run as. */

const ROOT = 0;
/** Where they are, whatever the search path of a terminal leaves out. */
const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The words as a shell takes them literally. */
export function shellLine(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

/** One word, on its own or within a line. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** True where lines may begin with sudo, which a small Debian leaves out. */
function hasSudo(): boolean {
  return Bun.which("sudo", { PATH: SYSTEM_PATH }) !== null;
}

/**
 * A line that runs as that user, whoever types it: by sudo, or else by what root has, whose password is
 * asked for where root does not type it.
 * @param user as `userName` gives it
 * @param kept names of variables of the typing shell that the line needs
 */
export function lineOfUser(
  user: string,
  words: readonly string[],
  kept: readonly string[] = [],
): string {
  if (hasSudo()) {
    const as = user === "root" ? [] : ["-u", user];
    const keeping = kept.length === 0 ? [] : [`--preserve-env=${kept.join(",")}`];
    return shellLine(["sudo", ...as, ...keeping, ...words]);
  }
  const line = shellLine([...(user === "root" ? [] : runAs(user)), ...words]);
  return process.geteuid?.() === ROOT ? line : shellLine(["su", "-c", line]);
}

/** What root has for that; it leaves the environment as it is. */
function runAs(user: string): string[] {
  const isNumber = user.startsWith("#");
  if (isNumber) return [placed("setpriv"), `--reuid=${user.slice(1)}`, "--clear-groups"];
  return [placed("runuser"), "-u", user, "--"];
}

/** `su` leaves the search path as it was, which need not have what is root's. */
function placed(name: string): string {
  if (process.geteuid?.() === ROOT) return name;
  return Bun.which(name, { PATH: SYSTEM_PATH }) ?? name;
}
