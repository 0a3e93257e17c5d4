/** How much was asked of a printer and has not ended. */

import { useQuery } from "@tanstack/react-query";
import { commandsOf } from "../../../parts/working.ts";
import type { Printer } from "../tab.ts";

/** As far as one page of the list tells: 100 of each state at most. */
export function useWaiting({ id }: Printer): number {
  const { data: pending } = useQuery(commandsOf(id, "pending"));
  const { data: sent } = useQuery(commandsOf(id, "sent"));
  const { data: working } = useQuery(commandsOf(id, "processing"));
  return [pending, sent, working].reduce((sum, one) => sum + (one?.commands.length ?? 0), 0);
}
