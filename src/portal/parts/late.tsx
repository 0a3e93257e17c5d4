/** That the box takes long to answer what was asked of it by a button. */

import { type ReactNode, useEffect, useState } from "react";
import { Notice } from "./notice.tsx";

/** A box that is there answers before this. */
const LATE_MS = 3_000;

interface LateProps {
  readonly isBusy: boolean;
  readonly text: string;
  /** The way back, where there is none beside it. */
  readonly children?: ReactNode;
}

/** Near the button, once the box takes long. */
export function Late({ isBusy, text, children }: LateProps) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isBusy) return;
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isBusy]);
  return (
    isLate && (
      <Notice mood="warn" text={text}>
        {children}
      </Notice>
    )
  );
}
