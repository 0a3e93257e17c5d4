/** One row of a list, read by itself: what has left the list's filter is in none of its pages. */

import { queryOptions } from "@tanstack/react-query";
import { answer, type components, type GatewayError } from "../../client/index.ts";
import { api } from "../api/client.ts";
import { isDoubtful, isUnderWay } from "./command-state.ts";

type Command = components["schemas"]["Command"];
type Alert = components["schemas"]["AlertPeriod"];
type Alone = Command | Alert | components["schemas"]["Receipt"];

/**
 * What reads a row as it is now: null where its list has none to read. Under the path of its list, whose
 * events tell that it has to be read again.
 */
export function rowAlone(path: string, id: string) {
  return queryOptions<Alone | null, GatewayError>({
    queryKey: [path, { alone: id }],
    queryFn: ({ signal }) => readRow(path, id, signal),
    // Many leave a filter together, as a queue that is printed: how each has ended is read once.
    enabled: ({ state: { data } }) => data === undefined || data === null || !isOver(data),
  });
}

async function readRow(path: string, id: string, signal: AbortSignal): Promise<Alone | null> {
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
      const params = { path: { alertId: id } };
      return (await answer(api.GET("/api/v1/alerts/{alertId}", { params, signal }))).alert;
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
