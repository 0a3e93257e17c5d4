/** What a printer has in hand. */

import { useQuery } from "@tanstack/react-query";
import { read } from "../api/queries.ts";
import type { Command } from "./command-state.ts";
import { isBooked } from "./outcome-words.ts";

/** The oldest first, as they are printed; 100 at most. */
export function commandsOf(deviceId: string, status: "pending" | "sent" | "processing") {
  const query = { deviceId, status, limit: 100, sortOrder: "asc" } as const;
  return read("/api/v1/commands", { query });
}

/** What it works on and what waits for it, the oldest first; as far as it was read. */
export function useInHand(deviceId: string): readonly Command[] {
  const { data: working } = useQuery(commandsOf(deviceId, "processing"));
  const { data: sent } = useQuery(commandsOf(deviceId, "sent"));
  const { data: waiting } = useQuery(commandsOf(deviceId, "pending"));
  return [working, sent, waiting].flatMap((data) => data?.commands ?? []);
}

/** True while a document that the printer has begun waits there, should it have stopped. */
export function useIsPaused(deviceId: string): boolean {
  const { data } = useQuery(commandsOf(deviceId, "processing"));
  return data?.commands.some(isBooked) ?? false;
}
