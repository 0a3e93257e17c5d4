/** There is nothing to show yet: the box is asked, is away, or wants to be left alone. */

import { useEffect, useState } from "react";
import { GatewayError } from "../../client/index.ts";
import { Coming, Failure, GONE, PageSkeleton } from "../parts/page-states.tsx";
import styles from "./shell.module.css";

/** Nothing else looks whether the box is back while nobody is signed in. */
const AGAIN_MS = 5_000;

interface UntilAnsweredProps {
  /** Why there was no answer to the last question; null while there is none. */
  readonly error: Error | null;
  readonly retry: () => void;
}

/** In place of everything. While it is asked again, what is known of the box stays. */
export function UntilAnswered({ error, retry }: UntilAnsweredProps) {
  const [last, setLast] = useState(error);
  if (error !== null && error !== last) setLast(error);
  const shown = error ?? last;
  return shown === null ? (
    <Coming>
      <PageSkeleton />
    </Coming>
  ) : (
    <NoBox error={shown} retry={retry} />
  );
}

interface NoBoxProps {
  readonly error: Error;
  readonly retry: () => void;
}

function NoBox({ error, retry }: NoBoxProps) {
  const shown = error instanceof GatewayError ? error : GONE;
  useEffect(() => {
    // Where the box has said when it may be asked again, that is kept.
    if (shown.status === 429) return;
    const timer = setTimeout(retry, AGAIN_MS);
    return () => clearTimeout(timer);
  });
  return (
    <main className={styles.alone}>
      <Failure error={shown} retry={retry} goesOn />
    </main>
  );
}
