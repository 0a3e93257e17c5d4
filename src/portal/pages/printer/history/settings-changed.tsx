/** Who changed what the printer itself has stored: each change is a request, and says what became of it. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { type Params, read } from "../../../api/queries.ts";
import { type Command, commandState } from "../../../parts/command-state.ts";
import { PageSkeleton } from "../../../parts/page-states.tsx";
import { TimeLine } from "../../../parts/time-line.tsx";
import { askerOf, useWho } from "../../../parts/who.ts";
import { useWords } from "../../../words/words.tsx";

type Type = NonNullable<NonNullable<Params<"/api/v1/commands">["query"]>["type"]>[number];

const TYPES: Type[] = [
  ...(["set_header_footer", "set_logo", "delete_logo"] as const),
  ...(["set_operator", "set_vat_rates", "set_datetime"] as const),
];
const SHOWN_MAX = 10;

export function SettingsChanged({ deviceId }: { readonly deviceId: string }) {
  const { t } = useWords();
  const who = useWho();
  const query = { deviceId, type: TYPES, limit: SHOWN_MAX };
  const { data, isPending } = useQuery(read("/api/v1/commands", { query }));
  const changes = data?.commands ?? [];
  if (isPending) return <PageSkeleton />;
  if (changes.length === 0) return <p className="quiet">{t("printerHistory.noSettings")}</p>;
  return (
    <TimeLine
      newestFirst
      label={t("printerHistory.settings")}
      moments={changes.map((command) => ({
        ...{ key: command.id, at: command.createdAt, mood: commandState(command).mood },
        text: t(`command.${command.type}`),
        aside: <Change command={command} who={who(askerOf(command))} />,
      }))}
    />
  );
}

function Change({ command, who }: { readonly command: Command; readonly who: string }) {
  const { t } = useWords();
  return (
    <>
      {t("printerHistory.change", { who, state: t(commandState(command).word) })}{" "}
      <Link href={`/commands/${command.id}`}>{t("commands.show")}</Link>
    </>
  );
}
