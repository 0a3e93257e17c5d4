/** Follows a printer's line for as long as the tab is open. */

import { useEffect, useState } from "react";
import { GatewayError } from "../../../../client/index.ts";
import { followTrace, type TraceEntry } from "../../../api/trace.ts";
import { withEntries } from "./entries.ts";

/** Frames come in bursts: the page is drawn once for each. */
const GATHER_MS = 100;

/** What is known of a line. */
export interface FollowedLine {
  /** Oldest first. */
  readonly entries: readonly TraceEntry[];
  readonly isOpen: boolean;
  /** Left out, because they were not read in time. */
  readonly dropped: number;
  readonly error: GatewayError | undefined;
  readonly again: () => void;
}

export function useLine(deviceId: string): FollowedLine {
  const [entries, setEntries] = useState<readonly TraceEntry[]>([]);
  const [isOpen, setOpen] = useState(false);
  const [dropped, setDropped] = useState(0);
  const [error, setError] = useState<GatewayError>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt begins anew
  useEffect(() => {
    const stop = new AbortController();
    const fresh: TraceEntry[] = [];
    const show = () => {
      const come = fresh.splice(0);
      if (come.length > 0) setEntries((kept) => withEntries(kept, come));
    };
    const timer = setInterval(show, GATHER_MS);
    setError(undefined);
    const viewer = {
      opened: () => setOpen(true),
      closed: () => setOpen(false),
      entry: (entry: TraceEntry) => fresh.push(entry),
      dropped: (count: number) => setDropped((before) => before + count),
    };
    followTrace(deviceId, viewer, stop.signal).catch((reason: unknown) => {
      if (!(reason instanceof GatewayError)) throw reason;
      setOpen(false);
      setError(reason);
    });
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [deviceId, attempt]);
  return { entries, isOpen, dropped, error, again: () => setAttempt((before) => before + 1) };
}
