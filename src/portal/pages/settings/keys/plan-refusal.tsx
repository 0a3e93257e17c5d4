/** The plan has no room for another key: what it allows, and the ways out. */

import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { GatewayError } from "../../../../client/index.ts";
import { useMay } from "../../../api/hooks.ts";
import { read } from "../../../api/queries.ts";
import { Notice } from "../../../parts/notice.tsx";
import { useWords } from "../../../words/words.tsx";

/** True for what another plan would allow. */
export function isPlanRefusal(error: Error | null): boolean {
  return error instanceof GatewayError && error.code === "TIER_LIMIT_EXCEEDED";
}

export function PlanRefusal() {
  const { t } = useWords();
  const isOwner = useMay("owner");
  const { data } = useQuery(read("/api/v1/billing"));
  const plan = t(`setup.plan.${data?.plan ?? "free"}`);
  const count = data?.limits.apiKeys ?? 0;
  return (
    <Notice
      mood="warn"
      text={count === 0 ? t("keys.planNone", { plan }) : t("keys.planFull", { plan, count })}
    >
      {isOwner ? (
        <Anchor className="tap" component={Link} href="/settings/shop">
          {t("keys.toPlan")}
        </Anchor>
      ) : (
        <span>{t("plan.askOwner")}</span>
      )}
    </Notice>
  );
}
