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
 * What it said when it was last asked how much fits on its lines, as its set-up does. It is not asked for
 * the sake of a picture: it may be printing. @returns undefined where nobody has asked yet
 */
function useColumns(deviceId: string): number | undefined {
  const type = "get_header_footer_capabilities";
  const { data } = useQuery(
    read("/api/v1/commands", { query: { deviceId, type, status: "completed", limit: 1 } }),
  );
  const told = data?.commands[0]?.result?.data ?? {};
  const columns = "maxCharsPerLine" in told ? told.maxCharsPerLine : undefined;
  return typeof columns === "number" && columns >= COLUMNS_MIN ? columns : undefined;
}
