/**
 * What of the box itself needs somebody: that its disk is full, which it tells of each printer; and what
 * its manager finds out here, or on the day it matters: that no backup is made, that the live copy elsewhere
 * stands still, or that an update was broken off.
 */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useMay } from "../../api/hooks.ts";
import { inWords, readHealth } from "../../parts/health.ts";
import { Notice } from "../../parts/notice.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import type { Today } from "./today.ts";

/** Checks of the box that have a page of the settings to read on. */
const PAGES = [
  ["backup", "/settings/backup", "settings.page.backup"],
  ["replica", "/settings/backup", "settings.page.backup"],
  ["update", "/settings/update", "settings.page.update"],
] as const;

/** True for an alert that stands at each printer because of the box, and is told once. */
export function isOfTheBox({ type }: Today["devices"][number]["alerts"][number]): boolean {
  return type === "disk_full";
}

export function BoxTrouble({ devices }: Pick<Today, "devices">) {
  const { t } = useWords();
  const isFull = devices.some(({ alerts }) => alerts.some(isOfTheBox));
  return (
    <>
      {isFull && <Notice mood="bad" text={t("today.diskFull")} />}
      <Findings />
    </>
  );
}

function Findings() {
  const { t } = useWords();
  const format = useFormat();
  const may = useMay("admin");
  const health = useQuery({ ...readHealth, enabled: may });
  return PAGES.flatMap(([part, href, title]) =>
    (health.data?.checks[part]?.findings ?? []).map(({ code, params }) => (
      <Notice key={code} mood="warn" text={t(`health.finding.${code}`, inWords(params, format))}>
        <Button component={Link} href={href} variant="default">
          {t(title)}
        </Button>
      </Notice>
    )),
  );
}
