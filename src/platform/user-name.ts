/**
 * The name of the user that this process runs as. The runtime takes it from the variable USER, which
 * cron, `runuser` and containers leave out or leave as it was: a cure would then name somebody else.
 */

import { readFileSync } from "node:fs";

const ACCOUNTS = "/etc/passwd";

/**
 * @param uid whose name; this process's unless given
 * @param accounts text of /etc/passwd
 * @returns as `sudo -u` takes it: `#1000` for a user whom only a directory elsewhere knows by name
 */
export function userName(
  uid: number = process.geteuid?.() ?? 0,
  accounts: string = readAccounts(),
): string {
  for (const line of accounts.split("\n")) {
    const [name = "", , number] = line.split(":");
    if (name !== "" && number === String(uid)) return name;
  }
  return `#${uid}`;
}

function readAccounts(): string {
  try {
    return readFileSync(ACCOUNTS, "utf8");
  } catch {
    return "";
  }
}
