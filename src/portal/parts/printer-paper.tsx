/** Paper of a printer, as wide as the printer's own is. */

import { useQuery } from "@tanstack/react-query";
import { read } from "../api/queries.ts";
import { Paper, type PaperProps } from "./paper.tsx";

/** Narrower is no paper, but the room for some text on it. */
const COLUMNS_MIN = 16;

interface PrinterPaperProps extends Omit<PaperProps, "columns"> {
  readonly deviceId: string;
}

export function PrinterPaper({ deviceId, ...paper }: PrinterPaperProps) {
  return <Paper {...paper} columns={useColumns(deviceId)} />;
}

/**
 * What it told of its paper when it was reached, or of the lines of its header when somebody asked: no
 * picture asks it, as it may be printing. @returns undefined where it never told, or is removed
 */
function useColumns(deviceId: string): number | undefined {
  const { data: devices } = useQuery(read("/api/v1/devices"));
  const known = devices?.find(({ id }) => id === deviceId)?.charsPerLine ?? null;
  const { data } = useQuery({
    ...read("/api/v1/commands", {
      query: { deviceId, type: ["get_header_footer_capabilities"], status: "completed", limit: 1 },
    }),
    enabled: devices !== undefined && known === null,
  });
  const told = data?.commands[0]?.result?.data ?? {};
  const columns = known ?? ("maxCharsPerLine" in told ? told.maxCharsPerLine : undefined);
  return typeof columns === "number" && columns >= COLUMNS_MIN ? columns : undefined;
}
