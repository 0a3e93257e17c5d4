/** That no backup is made: a shop finds that out here, or on the day it needs one. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useMay } from "../../api/hooks.ts";
import { inWords, readHealth } from "../../parts/health.ts";
import { Notice } from "../../parts/notice.tsx";
import { useFormat, useWords } from "../../words/words.tsx";

export function BackupTrouble() {
  const { t } = useWords();
  const format = useFormat();
  const may = useMay("admin");
  const health = useQuery({ ...readHealth, enabled: may });
  const findings = health.data?.checks.backup?.findings ?? [];
  return findings.map(({ code, params }) => (
    <Notice key={code} mood="warn" text={t(`health.finding.${code}`, inWords(params, format))}>
      <Button component={Link} href="/settings/backup" variant="default">
        {t("settings.page.backup")}
      </Button>
    </Notice>
  ));
}
