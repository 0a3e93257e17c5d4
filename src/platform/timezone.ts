/** Which time zone the machine stands in. */

/** The zone of the default currency. */
const TIMEZONE_DEFAULT = "Europe/Bucharest";

/** IANA name of the zone in which the machine's clock runs, UTC included. */
export function clockTimezone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** IANA name of the machine's zone; undefined on UTC: nobody told it where it stands. */
export function knownTimezone(): string | undefined {
  const local = clockTimezone();
  return /^(Etc\/.*|UTC|GMT|Universal)$/.test(local) ? undefined : local;
}

/** IANA name of the machine's zone, or the default where the machine does not know it. */
export function machineTimezone(): string {
  return knownTimezone() ?? TIMEZONE_DEFAULT;
}
