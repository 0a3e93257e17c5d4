/**
 * Which currency a shop of a time zone most likely has, and the other way round: offered at set-up,
 * in portal and terminal.
 */

/** Of zones that the table does not name. */
const ELSEWHERE = "EUR";

/** Countries around those of the drivers that have a currency of their own. Bulgaria has the euro. */
const CURRENCIES: Readonly<Record<string, string>> = {
  "Europe/Bucharest": "RON",
  "Europe/Chisinau": "MDL",
  "Europe/Tiraspol": "MDL",
  "Europe/Belgrade": "RSD",
  "Europe/Skopje": "MKD",
  "Europe/Tirane": "ALL",
  "Europe/Kyiv": "UAH",
  "Europe/Kiev": "UAH",
  "Europe/Budapest": "HUF",
  "Europe/Warsaw": "PLN",
  "Europe/Prague": "CZK",
};

/** Where the shops of these currencies are that the drivers' devices are made for. */
const BULGARIAN_ZONE = "Europe/Sofia";
const BULGARIAN_CURRENCIES: readonly string[] = ["EUR", "BGN"];

/** IANA name; undefined for a currency of none of these countries. @param currency of ISO 4217 */
export function zoneOfCurrency(currency: string): string | undefined {
  if (BULGARIAN_CURRENCIES.includes(currency)) return BULGARIAN_ZONE;
  return Object.keys(CURRENCIES).find((zone) => CURRENCIES[zone] === currency);
}

/** Code of ISO 4217. @param timezone IANA name */
export function currencyOfZone(timezone: string): string {
  return CURRENCIES[timezone] ?? ELSEWHERE;
}
