/**
 * What of the box itself needs its manager: that no backup is made, or that an update was broken off. A
 * shop finds that out here, or on the day it needs it.
 */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useMay } from "../../api/hooks.ts";
import { inWords, readHealth } from "../../parts/health.ts";
import { Notice } from "../../parts/notice.tsx";
import { useFormat, useWords } from "../../words/words.tsx";

/** Checks of the box that have a page of the settings to read on. */
const PAGES = [
  ["backup", "/settings/backup", "settings.page.backup"],
  ["update", "/settings/update", "settings.page.update"],
] as const;

export function BoxTrouble() {
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
