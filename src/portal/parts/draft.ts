/** A form over what is stored: what somebody changes in it is sent, and nothing else. */

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { queries } from "../api/queries.ts";

interface DraftOptions<Fields extends object, Answer> {
  /** Asks for what is to be different, of all that is shown; not called where that is nothing. */
  readonly send: (changed: Partial<Fields>, shown: Fields) => Promise<Answer>;
  /** True where saving does something even where nothing is changed. */
  readonly isSentUnchanged?: boolean;
  /** It is stored; what is known is read anew, or set, until it resolves. */
  readonly stored: (answer: Answer) => unknown;
}

/**
 * Fields that nobody touched follow what is known: sent as well, they would put back what was changed on
 * another page since this one was opened.
 * @param known as it is stored, by its fields
 */
export function useDraft<Fields extends object, Answer>(
  known: Fields,
  { send, isSentUnchanged = false, stored }: DraftOptions<Fields, Answer>,
) {
  const [touched, setTouched] = useState<Partial<Fields>>({});
  const shown: Fields = { ...known, ...touched };
  const changed = without(touched, known);
  const isChanged = Object.keys(changed).length > 0;
  const saving = useMutation<Answer | undefined, Error, Partial<Fields>>({
    mutationFn: async (wanted) => {
      const isNothing = Object.keys(wanted).length === 0 && !isSentUnchanged;
      if (!isNothing) return send(wanted, shown);
      // No event tells of all that others store: whoever is told "saved" sees what is.
      await queries.invalidateQueries();
      return undefined;
    },
    onSuccess: async (answer, wanted) => {
      if (answer !== undefined) await stored(answer);
      setTouched((now) => without(now, wanted));
    },
  });
  return {
    /** What the fields say. */
    shown,
    isChanged,
    /** @param fields as they are to be; those that say what they said are not touched */
    change(fields: Partial<Fields>) {
      setTouched((now) => without({ ...now, ...without(fields, shown) }, known));
    },
    saving,
    submit(event: FormEvent) {
      event.preventDefault();
      saving.mutate(changed);
    },
  };
}

/** Those of the fields that say something else. */
function without<Fields extends object>(
  fields: Partial<Fields>,
  others: Partial<Fields>,
): Partial<Fields> {
  const differing = Object.entries(fields).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(others[name as keyof Fields]),
  );
  // Of the same fields.
  return Object.fromEntries(differing) as Partial<Fields>;
}
