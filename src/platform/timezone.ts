/** Which time zone the machine stands in. */

/** The zone of the default currency. */
const TIMEZONE_DEFAULT = "Europe/Bucharest";

/** IANA name of the machine's zone. One that runs on UTC was never told where it stands. */
export function machineTimezone(): string {
  const local = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return /^(Etc\/.*|UTC|GMT|Universal)$/.test(local) ? TIMEZONE_DEFAULT : local;
}
