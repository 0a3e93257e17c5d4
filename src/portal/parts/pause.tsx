/** The box was asked too much: until when it wants to be left alone. */

import { useEffect, useRef, useState } from "react";
import type { GatewayError } from "../../client/index.ts";
import { useFormat, useWords } from "../words/words.tsx";

/** Where the box does not tell. */
const PAUSE_SECONDS = 60;
const MINUTE_MS = 60_000;

interface PauseProps {
  readonly error: GatewayError;
  /** Asks again when the time has come; absent where somebody has to. */
  readonly retry: (() => void) | undefined;
}

export function Pause({ error, retry }: PauseProps) {
  const { t } = useWords();
  const format = useFormat();
  const until = usePauseEnd(error, retry);
  // Of a minute that has begun, the end.
  const time = format.time(Math.ceil(until / MINUTE_MS) * MINUTE_MS);
  const word = retry === undefined ? "states.busy.until" : "states.busy.goesOn";
  return <p className="quiet">{t(word, { time })}</p>;
}

/** @returns UTC milliseconds */
function usePauseEnd(error: GatewayError, retry: (() => void) | undefined): number {
  const [told, setTold] = useState(() => ({ error, at: Date.now() }));
  if (told.error !== error) setTold({ error, at: Date.now() });
  const until = told.at + (error.retryAfterSeconds ?? PAUSE_SECONDS) * 1_000;
  const again = useRef(retry);
  again.current = retry;
  useEffect(() => {
    const timer = setTimeout(() => again.current?.(), Math.max(0, until - Date.now()));
    return () => clearTimeout(timer);
  }, [until]);
  return until;
}
