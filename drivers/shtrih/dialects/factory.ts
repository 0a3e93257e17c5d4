/**
 * What shops may have programmed otherwise, and firmware may number otherwise: passwords, tenders
 * and rows of tables, as devices are delivered. There is one dialect; what a model lacks it says
 * itself, when it is asked which sensors it has or refuses a command as unknown.
 * Source: Shtrih-M "KKT protocol" 2.0, tables 2, 4 and 5; user manual.
 */

import type { PaymentMethod } from "#core/receipt.ts";

/** A run of rows of a table. */
export interface Rows {
  readonly first: number;
  readonly count: number;
}

interface ShtrihDialect {
  readonly manufacturer: string;
  /** Rows of the operators' table that belong to cashiers, whose password is their row. */
  readonly operators: number;
  readonly passwordDigits: number;
  readonly administratorPassword: number;
  /** Tax groups that every model has; 0 is none. */
  readonly taxGroups: number;
  /** That an item can name: those with a fiscal drive have so many. */
  readonly taxGroupsMax: number;
  readonly departmentMax: number;
  /** The four tenders of the closing frame: cash, credit, tare, card. */
  readonly tenders: Partial<Record<PaymentMethod, 1 | 2 | 3 | 4>>;
  /** What reports call tenders 1 to 4. */
  readonly tenderMethods: readonly PaymentMethod[];
  readonly footer: Rows;
  readonly header: Rows;
}

export const FACTORY = {
  manufacturer: "Shtrih-M",
  operators: 28,
  passwordDigits: 8,
  administratorPassword: 30,
  taxGroups: 4,
  taxGroupsMax: 6,
  departmentMax: 16,
  tenders: { cash: 1, credit: 2, packaging: 3, other: 3, card: 4 },
  tenderMethods: ["cash", "credit", "other", "card"],
  footer: { first: 1, count: 3 },
  header: { first: 4, count: 4 },
} as const satisfies ShtrihDialect;

/** The tender numbers by method, as far as the protocol has them. */
export const TENDERS: ShtrihDialect["tenders"] = FACTORY.tenders;
