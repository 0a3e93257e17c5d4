/** Reads what the printer itself has stored: asked of it when a part is opened, and after a change. */

import { useQuery } from "@tanstack/react-query";
import { GatewayError } from "../../../../client/index.ts";
import { type Params, type Readable, read } from "../../../api/queries.ts";
import type { Printer } from "../tab.ts";

/** Live routes below a printer. */
export type PrinterPath = Extract<
  Readable,
  `/api/v1/devices/{deviceId}/${
    | "header-footer"
    | "header-footer-capabilities"
    | "vat-rates"
    | "vat-capabilities"
    | "operators"
    | "operator-capabilities"
    | "logo-capabilities"
    | "last-receipt"}`
>;

/** @param isWanted false where it is known that there is nothing to read */
export function usePrinterRead<Path extends PrinterPath>(
  path: Path,
  { id: deviceId, effectiveStatus }: Printer,
  isWanted = true,
) {
  // All of these paths have the printer's id in them, and nothing else.
  const params = { path: { deviceId } } as unknown as Params<Path>;
  return useQuery({
    ...read(path, params),
    enabled: isWanted && effectiveStatus === "online",
    // It changes by this page, or by hands at the printer: nobody tells.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: "always",
    retry: false,
  });
}

/** True where the printer, or its driver, has no command for it. */
export function isImpossible(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false;
  const { details } = error;
  return (
    typeof details === "object" &&
    details !== null &&
    "errorCode" in details &&
    details.errorCode === "E201"
  );
}
