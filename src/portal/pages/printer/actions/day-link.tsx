/** To the reports that the printer made today. */

import { Button } from "@mantine/core";
import { Link } from "wouter";
import { boxNow } from "../../../api/box-clock.ts";
import { useOrganization } from "../../../api/hooks.ts";
import { dayOf } from "../../../parts/shop-days.ts";
import { useWords } from "../../../words/words.tsx";

export function DayLink({ deviceId }: { readonly deviceId: string }) {
  const { t } = useWords();
  const today = dayOf(boxNow(), useOrganization()?.timezone);
  return (
    <Button
      component={Link}
      variant="subtle"
      href={`/reports/${today}?printer=${encodeURIComponent(deviceId)}`}
    >
      {t("actions.dayReports")}
    </Button>
  );
}
