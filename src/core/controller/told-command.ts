/** A command as messages carry it. Instants are texts there, and milliseconds for drivers. */

import type { DriverCommand } from "../driver.ts";
import type { StoredReceipt } from "../receipt-record.ts";

/** A stored receipt with its instants in ISO 8601. */
export type ToldReceipt = Omit<StoredReceipt, "issuedAt" | "createdAt"> & {
  readonly issuedAt: string;
  readonly createdAt: string;
};

export type ToldCommand = Omit<DriverCommand, "original"> & {
  readonly original?: ToldReceipt | undefined;
};

/** For a controller. */
export function toldCommand({ original, ...command }: DriverCommand): ToldCommand {
  if (original === undefined) return command;
  const issuedAt = new Date(original.issuedAt).toISOString();
  const createdAt = new Date(original.createdAt).toISOString();
  return { ...command, original: { ...original, issuedAt, createdAt } };
}

/** For a driver, as it was before it was told. */
export function driverCommand({ original, ...command }: ToldCommand): DriverCommand {
  if (original === undefined) return { ...command, original };
  const issuedAt = Date.parse(original.issuedAt);
  const createdAt = Date.parse(original.createdAt);
  return { ...command, original: { ...original, issuedAt, createdAt } };
}
