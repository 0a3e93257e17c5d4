/** The first receipt of a till in three languages, ready to copy: one sale of a coffee. */

/** What is filled in. */
export interface TillFacts {
  readonly url: string;
  readonly apiKey: string;
  readonly deviceId: string;
  /** Of a printer that demands one; left out for others. */
  readonly uniqueSaleNumber?: string | undefined;
  /** Name of the file with the authority of the box, where the machine does not know it. */
  readonly authorityFile?: string | undefined;
}

const SALE_NUMBERS = 10_000_000;

/**
 * The first sale at a Bulgarian printer, which takes no sale without its number; else undefined. Each
 * key has another: one number is one sale.
 */
export function firstSaleNumber(serialNumber: string | null, apiKey: string): string | undefined {
  if (serialNumber === null || !/^[A-Z]{2}\d{6}$/.test(serialNumber)) return undefined;
  const mixed = [...apiKey].reduce(
    (sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % SALE_NUMBERS,
    0,
  );
  return `${serialNumber}-0001-${String(mixed).padStart(7, "0")}`;
}

/** By the name that programmers know them by. */
export function tillLines(facts: TillFacts): Readonly<Record<string, string>> {
  const { url, apiKey, authorityFile } = facts;
  const trust = authorityFile === undefined ? "" : ` --cacert ${authorityFile}`;
  const sale = saleText(facts);
  const route = `${url}/api/v1/commands`;
  // Of its own for each till: under a used one nothing would be printed.
  const saleKey = `till-${apiKey.slice(-4)}-sale-1`;
  return {
    curl: `curl -sS${trust} ${route} \\
  -H "x-api-key: ${apiKey}" \\
  -H "content-type: application/json" \\
  -H "Idempotency-Key: ${saleKey}" \\
  -d '${sale}'`,
    TypeScript: `const sale = ${sale};
await fetch("${route}", {
  method: "POST",
  headers: {
    "x-api-key": "${apiKey}",
    "content-type": "application/json",
    "Idempotency-Key": "${saleKey}",
  },
  body: JSON.stringify(sale),
});`,
    "C#": `var till = new HttpClient();
till.DefaultRequestHeaders.Add("x-api-key", "${apiKey}");
var sale = new HttpRequestMessage(HttpMethod.Post, "${route}");
sale.Headers.Add("Idempotency-Key", "${saleKey}");
sale.Content = new StringContent(@"${sale.replaceAll('"', '""')}",
  Encoding.UTF8, "application/json");
await till.SendAsync(sale);`,
  };
}

/** One coffee, as JSON in lines that a person can read. */
function saleText({ deviceId, uniqueSaleNumber }: TillFacts): string {
  const number =
    uniqueSaleNumber === undefined ? "" : `,\n    "uniqueSaleNumber": "${uniqueSaleNumber}"`;
  return `{
  "deviceId": "${deviceId}",
  "type": "print_receipt",
  "payload": {
    "items": [{ "name": "Coffee", "quantity": 1, "price": 1.5, "vatGroup": "VAT2" }],
    "payments": [{ "method": "cash", "amount": 1.5 }]${number}
  }
}`;
}
