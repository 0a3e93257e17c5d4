/** Step 7: that nothing is lost, and that no day stays open. Each part is saved by itself. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/queries.ts";
import { BackupForm } from "../../parts/backup-form.tsx";
import { ClosingForm } from "../../parts/closing-form.tsx";
import { PageStates } from "../../parts/page-states.tsx";
import { useWords } from "../../words/words.tsx";
import styles from "./setup.module.css";
import type { StepProps } from "./steps.ts";

/** Sticks come and go without an event. */
const LOOK_MS = 5_000;

export function SafetyStep({ next }: StepProps) {
  const { t } = useWords();
  const backups = useQuery({ ...read("/api/v1/backups"), refetchInterval: LOOK_MS });
  const organization = useQuery(read("/api/v1/org"));
  const isDone = backups.data?.settings.hasPassphrase === true;
  return (
    <div className={styles.form}>
      <h2 className={styles.heading}>{t("setup.safety.backup")}</h2>
      <p>{t("backup.intro")}</p>
      <PageStates query={backups}>{(found) => <BackupForm backups={found} />}</PageStates>
      <h2 className={styles.heading}>{t("settings.page.closing")}</h2>
      <p>{t("closing.intro")}</p>
      <PageStates query={organization}>
        {(found) => <ClosingForm organization={found} />}
      </PageStates>
      <div className={styles.ends}>
        <Button variant={isDone ? "filled" : "default"} onClick={next}>
          {t(isDone ? "setup.done" : "setup.later")}
        </Button>
      </div>
    </div>
  );
}
