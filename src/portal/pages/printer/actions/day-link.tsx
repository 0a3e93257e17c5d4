/** To the reports that the printer made today, by the clocks where it stands. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { boxNow } from "../../../api/box-clock.ts";
import { useOrganization } from "../../../api/hooks.ts";
import { read } from "../../../api/queries.ts";
import { dayOf } from "../../../parts/shop-days.ts";
import { useWords } from "../../../words/words.tsx";
import type { ActionProps } from "./action-box.tsx";

export function DayLink({ printer: { id, locationId } }: ActionProps) {
  const { t } = useWords();
  const own = useOrganization()?.timezone;
  const { data: { locations = [] } = {} } = useQuery(read("/api/v1/org/locations"));
  const place = locations.find((location) => location.id === locationId);
  const today = dayOf(boxNow(), place?.timezone ?? own);
  return (
    <Button
      component={Link}
      variant="subtle"
      href={`/reports/${today}?printer=${encodeURIComponent(id)}`}
    >
      {t("actions.dayReports")}
    </Button>
  );
}
