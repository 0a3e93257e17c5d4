/** One row of a list, read by itself: what has left the list's filter is in none of its pages. */

import { queryOptions } from "@tanstack/react-query";
import { answer, type components, type GatewayError } from "../../client/index.ts";
import { api } from "../api/client.ts";
import { isDoubtful, isUnderWay } from "./command-state.ts";

type Command = components["schemas"]["Command"];
type Alert = components["schemas"]["AlertPeriod"];
type Alone = Command | Alert | components["schemas"]["Receipt"];

/** A row, and where it stands. */
export interface Placed {
  readonly id: string;
  /** The id of the row above it. */
  readonly above: string | undefined;
  readonly deviceId: string;
}

/**
 * What reads a row as it is now: null where it is not found. Under the path of its list, whose events tell
 * that it has to be read again.
 */
export function rowAlone(path: string, row: Placed) {
  return queryOptions<Alone | null, GatewayError>({
    queryKey: [path, { alone: row.id }],
    queryFn: ({ signal }) => readRow(path, row, signal),
    // Many leave a filter together, as a queue that is printed: how each has ended is read once.
    enabled: ({ state: { data } }) => data === undefined || data === null || !isOver(data),
  });
}

async function readRow(path: string, row: Placed, signal: AbortSignal): Promise<Alone | null> {
  const { id, above, deviceId } = row;
  switch (path) {
    case "/api/v1/commands": {
      const params = { path: { commandId: id } };
      return (await answer(api.GET("/api/v1/commands/{commandId}", { params, signal }))).command;
    }
    case "/api/v1/receipts": {
      const params = { path: { receiptId: id } };
      return (await answer(api.GET("/api/v1/receipts/{receiptId}", { params, signal }))).receipt;
    }
    case "/api/v1/alerts": {
      // They are only listed: of its printer, those that follow what stands above it.
      const place = above === undefined ? {} : { startAfter: above };
      const params = { query: { deviceId, limit: 100, ...place } };
      const { alerts } = await answer(api.GET("/api/v1/alerts", { params, signal }));
      return alerts.find((alert) => alert.id === id) ?? null;
    }
    default:
      // What was written down of changes stays as it is.
      return null;
  }
}

function isOver(row: Alone): boolean {
  if ("endedAt" in row) return row.endedAt !== null;
  return "requestedBy" in row && "payload" in row && !isUnderWay(row) && !isDoubtful(row);
}
