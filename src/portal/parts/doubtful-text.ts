/** What a person is asked about, in a sentence. */

import { useQuery } from "@tanstack/react-query";
import { type Body, read } from "../api/queries.ts";
import { useFormat, useWords } from "../words/words.tsx";
import { amountOf } from "./command-state.ts";

type Doubtful = Body<"/api/v1/today">["doubtful"][number];

/** Of a printer that was removed meanwhile nothing waits any more. */
export function useDoubtfulText({ commandId, type, deviceName, acceptedAt }: Doubtful): string {
  const { t } = useWords();
  const format = useFormat();
  const { data } = useQuery(read("/api/v1/commands/{commandId}", { path: { commandId } }));
  const amount = data && amountOf(data.command);
  const what =
    amount === undefined
      ? t(`command.${type}`)
      : t("today.doubtfulWhat", {
          what: t(`command.${type}`),
          amount: format.money(amount, data?.command.currency ?? undefined),
        });
  const about = { what, time: format.dateTime(acceptedAt) };
  return deviceName === null
    ? t("today.doubtfulRemoved", about)
    : t("today.doubtfulText", { ...about, printer: deviceName });
}
