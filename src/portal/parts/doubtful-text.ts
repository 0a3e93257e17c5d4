/** What a person is asked about, in a sentence. */

import type { Body } from "../api/queries.ts";
import type { Format } from "../words/format.ts";
import type { Translate } from "../words/words.tsx";

type Doubtful = Body<"/api/v1/today">["doubtful"][number];

/** Of a printer that was removed meanwhile nothing waits any more. */
export function doubtfulText(
  { type, deviceName, acceptedAt }: Doubtful,
  { t, format }: { readonly t: Translate; readonly format: Format },
): string {
  const about = { what: t(`command.${type}`), time: format.dateTime(acceptedAt) };
  return deviceName === null
    ? t("today.doubtfulRemoved", about)
    : t("today.doubtfulText", { ...about, printer: deviceName });
}
