/** An entry of the audit log in the reader's words, and the page of what it is about. */

import { useQuery } from "@tanstack/react-query";
import type { components } from "../../client/index.ts";
import { useMay } from "../api/hooks.ts";
import { read } from "../api/queries.ts";
import { useWords } from "../words/words.tsx";

export type HistoryEntry = components["schemas"]["AuditEntry"];

/** Who or what is called what now, by id. */
type Names = ReadonlyMap<string, string>;

/** What was done, as a sentence. */
export function useDeed(): (entry: HistoryEntry) => string {
  const { t, isWord } = useWords();
  const planIn = ({ details }: HistoryEntry) => {
    const plan = `setup.plan.${String(details?.to)}`;
    return isWord(plan) ? t(plan) : plan;
  };
  const names = useNames();
  return (entry) => {
    const { action } = entry;
    const word = `history.action.${action}`;
    // Apps call what they do of their own accord as they like.
    if (!isWord(word)) return t("history.byApp", { what: action.replace(/^note\./, "") });
    if (action === "plan.changed") return t(word, { what: planIn(entry) });
    if (action === "receipt.put_away" && entry.details?.settlement === "cancelled") {
      return t("history.putAwayCancelled", { what: nameIn(entry, names) ?? entry.resource });
    }
    const someone = action.startsWith("user.") ? t("who.person") : undefined;
    return t(word, { what: nameIn(entry, names) ?? someone ?? entry.resource });
  };
}

/** What a person said of a doubtful receipt. */
export function useSaid(): (entry: HistoryEntry) => string | undefined {
  const { t } = useWords();
  return ({ action, details }) => {
    if (action !== "command.resolve") return undefined;
    const { outcome, fiscalId, instead } = details ?? {};
    if (typeof fiscalId === "string" && instead !== undefined) {
      return t("history.said.corrected", { number: fiscalId });
    }
    if (outcome !== "printed" && outcome !== "not_printed") return undefined;
    return t(`history.said.${outcome}`);
  };
}

/** The page of what an entry is about; undefined where it has none, or has none any more. */
export function pageOf({ action, resource }: HistoryEntry): string | undefined {
  const [kind = "", deed = ""] = action.split(".");
  if (deed === "removed" || deed === "revoked") return undefined;
  switch (kind) {
    case "device":
    // What an app did on a printer.
    case "note":
      return `/printers/${resource}`;
    case "receipt":
      return deed === "put_away" ? `/printers/${resource}` : `/receipts/${resource}`;
    case "report":
      return `/reports/${resource}`;
    case "command":
      return `/commands/${resource}`;
    case "webhook":
      return `/settings/webhooks/${resource}`;
    case "controller":
      return "/settings/controllers";
    case "api_key":
      return `/settings/keys/${resource}`;
    case "location":
      return `/settings/places/${resource}`;
    case "user":
      return `/settings/people/${resource}`;
    case "organization":
    case "plan":
      return "/settings/shop";
    case "backup":
      return "/settings/backup";
    default:
      return undefined;
  }
}

/** Names of printers and people as they are now; what is gone is called as it was then. */
function useNames(): Names {
  const mayList = useMay("admin");
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  const { data: people } = useQuery({ ...read("/api/v1/org/members"), enabled: mayList });
  return new Map([...devices, ...(people?.members ?? [])].map(({ id, name }) => [id, name]));
}

/** Where entries keep how their thing was called. */
const NAME_FIELDS = ["name", "label", "host", "controllerName", "fiscalId", "email"] as const;

function nameIn({ resource, details }: HistoryEntry, names: Names): string | undefined {
  const now = names.get(resource);
  if (now !== undefined) return now;
  const given = NAME_FIELDS.map((field) => details?.[field]);
  return given.find((value) => typeof value === "string" && value !== "") as string | undefined;
}
