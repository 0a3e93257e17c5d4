/** The search and reminders lead to an action by the address: `?cash_in`. */

import { useEffect, useRef } from "react";
import { useSearchParams } from "wouter";

/**
 * Does once what the address asks for, also where the page stands already, and takes it out of the
 * address: loaded anew, or come back to, the page asks for nothing.
 * @param names of those that the action knows
 */
export function useAskedFor<Name extends string>(
  names: readonly Name[],
  begin: (name: Name) => void,
): void {
  const [parameters, setParameters] = useSearchParams();
  const asked = names.find((name) => parameters.has(name));
  const begins = useRef<(name: Name) => void>(undefined);
  begins.current = (name) => {
    // Before a dialog opens, which has an entry of its own in the browser's history.
    setParameters({}, { replace: true });
    begin(name);
  };
  useEffect(() => {
    if (asked !== undefined) begins.current?.(asked);
  }, [asked]);
}
