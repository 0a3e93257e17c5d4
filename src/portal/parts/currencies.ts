/** Codes of ISO 4217 of the currencies that shops have. */
export const CURRENCIES = [
  ...["EUR", "RON", "BGN", "MDL", "RSD", "MKD", "ALL", "UAH", "HUF", "PLN", "CZK"],
] as const;
