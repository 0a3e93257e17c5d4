/** Which currency a shop of a time zone most likely has: offered at set-up, in portal and terminal. */

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

/** Code of ISO 4217. @param timezone IANA name */
export function currencyOfZone(timezone: string): string {
  return CURRENCIES[timezone] ?? ELSEWHERE;
}
