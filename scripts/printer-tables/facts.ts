/** What the drivers' own data says of each model: tenders, operators, limits. */

import type { PaymentMethod } from "#core/receipt.ts";
import { ProfileSet } from "#drivers/custom-serial/profile-set.ts";
import { slipColumns } from "#drivers/custom-serial/text.ts";
import type { IslDialect } from "#drivers/isl/dialect.ts";
import { VENDOR_A, VENDOR_B, VENDOR_C, VENDOR_D } from "#drivers/isl/dialects/index.ts";
import { FACTORY } from "#drivers/shtrih/dialects/factory.ts";
import { LIMITS } from "#drivers/zfp/dialect.ts";
import { VENDOR_E } from "#drivers/zfp/dialects/index.ts";
import { DEFAULT_PASSWORD } from "#drivers/zfp/operator.ts";

/** Facts of one model as cells of a table; a label that a model lacks stays empty. */
export interface ModelFacts {
  /** What the device calls each tender that it knows. */
  readonly tenders: Readonly<Partial<Record<PaymentMethod, string>>>;
  readonly limits: Readonly<Record<string, string>>;
}

const PROFILES = ProfileSet.of();
/** The simulated models of `custom.serial`, and the profile that drives each. */
const PROFILE_OF: Readonly<Record<string, string>> = {
  gen3: "custom-rt-gen3",
  gen2: "custom-rt-gen2",
  xonxoff: "custom-xonxoff",
};

/** @throws RangeError for a model that no driver has */
export function factsOf(model: string): ModelFacts {
  const isl = [...VENDOR_A, ...VENDOR_B, ...VENDOR_C, ...VENDOR_D].find(
    ({ name }) => name === model,
  );
  if (isl !== undefined) return islFacts(isl);
  const zfp = VENDOR_E.find(({ name }) => name === model);
  if (zfp !== undefined) return { tenders: zfp.tenders, limits: ZFP_LIMITS };
  const profile = PROFILES.find(PROFILE_OF[model] ?? "")?.profile;
  if (profile !== undefined) {
    const { limits, tenders, vat } = profile;
    return {
      tenders,
      limits: {
        "VAT groups": String(Object.keys(vat.groups).length),
        "name of an item": `${limits.itemText} characters`,
        "line of a slip": `${slipColumns({ limits })} characters`,
        "header lines": String(limits.headerLines),
        "footer lines": "0",
      },
    };
  }
  if (["fr-k", "light", "mobile"].includes(model)) return SHTRIH_FACTS;
  throw new RangeError(`no driver has a model ${model}`);
}

function islFacts(dialect: IslDialect): ModelFacts {
  const { operators, widths, stornoReasons } = dialect;
  const { min, max } = operators.passwordLength;
  const lines = widths.nameLines === 1 ? "" : `${widths.nameLines} lines of `;
  return {
    tenders: dialect.tenders,
    limits: {
      "unique sale number": dialect.wantsUniqueSaleNumber ? "demanded" : "not used",
      "storno reasons":
        stornoReasons === undefined ? "none" : String(Object.keys(stornoReasons).length),
      "VAT groups": String(dialect.vatGroups.length),
      "lines of a receipt": String(dialect.salesMax),
      "name of an item": `${lines}${widths.name} characters`,
      operators: `1 to ${operators.max}`,
      "operator's password": `${min} to ${max} digits`,
      "password that a receipt is opened with when none is given": openingPassword(dialect),
      "header lines": String(dialect.header.lines),
      "footer lines": String(dialect.footer.lines),
    },
  };
}

/** What the driver opens a receipt with when the till gives no password. */
function openingPassword({ actions, operators }: IslDialect): string {
  if (actions.openSale?.request.includes("{password}") !== true)
    return "none: it opens without one";
  const { zeroPasswordModels: zeros, zeroPassword = "0000" } = operators;
  // A model of each kind that the dialects tell apart.
  const [printer, register] = ["FP-700X", "DP-25X"].map((model) => zeros.test(model));
  if (printer && register) return `\`${zeroPassword}\``;
  return printer
    ? `\`${zeroPassword}\` on FP and FMP, else the operator's number`
    : "the operator's number";
}

const ZFP_LIMITS = {
  "unique sale number": "printed when given",
  "storno reasons": "3",
  "VAT groups": String(LIMITS.vatGroups),
  "name of an item": `${LIMITS.namePrinted} characters`,
  operators: `1 to ${LIMITS.operators}`,
  "operator's password": `1 to ${LIMITS.operatorPassword} digits`,
  "password that a receipt is opened with when none is given": `\`${DEFAULT_PASSWORD}\``,
  "header lines": String(LIMITS.headerLines),
  "footer lines": String(LIMITS.footerLines),
} as const;

const SHTRIH_FACTS: ModelFacts = {
  tenders: Object.fromEntries(
    Object.entries(FACTORY.tenders).map(([method, tender]) => [method, String(tender)]),
  ),
  limits: {
    "VAT groups": String(FACTORY.taxGroups),
    operators: `1 to ${FACTORY.operators}`,
    "operator's password": `1 to ${FACTORY.passwordDigits} digits`,
    "password that a receipt is opened with when none is given": "the operator's number",
    "header lines": String(FACTORY.header.count),
    "footer lines": String(FACTORY.footer.count),
  },
};
