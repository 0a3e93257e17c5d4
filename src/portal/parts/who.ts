/** Who did something, by name where the reader may know it. */

import { useQuery } from "@tanstack/react-query";
import { useMay, useSession } from "../api/hooks.ts";
import { read } from "../api/queries.ts";
import { useWords } from "../words/words.tsx";

/** Names an actor of the API, as `user:<id>` or `key:<id>`. */
export function useWho(): (actor: string | null) => string {
  const { t } = useWords();
  const session = useSession();
  const mayList = useMay("admin");
  const { data: people } = useQuery({ ...read("/api/v1/org/members"), enabled: mayList });
  const { data: keys } = useQuery(read("/api/v1/org/api-keys"));
  const { data: revoked } = useQuery(read("/api/v1/org/api-keys/revoked"));
  const labelOf = (id: string | undefined) =>
    [...(keys ?? []), ...(revoked ?? [])].find((one) => one.id === id)?.label;
  return (actor) => {
    const [kind, id] = actor?.split(":") ?? [];
    switch (kind) {
      case "user": {
        if (session.kind === "in" && session.user.id === id) return t("who.you");
        return people?.members.find((one) => one.id === id)?.name ?? t("who.person");
      }
      case "key":
        return labelOf(id) ?? t("who.till");
      case "box":
        return t("who.box");
      case "controller":
        return t(id === "builtin" ? "who.gateway" : "who.controller");
      case "nobody":
        return t("who.nobody");
      default:
        return t("who.gateway");
    }
  };
}

/** The actor that had a command made. */
export function askerOf({ requestedBy, apiKeyId }: Asked): string {
  if (requestedBy !== null) return `user:${requestedBy}`;
  return apiKeyId === null ? "gateway" : `key:${apiKeyId}`;
}

interface Asked {
  readonly requestedBy: string | null;
  readonly apiKeyId: string | null;
}
