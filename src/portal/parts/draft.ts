/** A form over what is stored: what somebody changes in it is sent, and nothing else. */

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";

interface DraftOptions<Fields extends object, Answer> {
  /** Asks for what is to be different, of all that is shown. */
  readonly send: (changed: Partial<Fields>, shown: Fields) => Promise<Answer>;
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
  { send, stored }: DraftOptions<Fields, Answer>,
) {
  const [touched, setTouched] = useState<Partial<Fields>>({});
  const shown: Fields = { ...known, ...touched };
  const changed = without(touched, known);
  const isChanged = Object.keys(changed).length > 0;
  const saving = useMutation<Answer, Error, Partial<Fields>>({
    mutationFn: (wanted) => send(wanted, shown),
    onSuccess: async (answer, wanted) => {
      await stored(answer);
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
