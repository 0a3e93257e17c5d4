/** What a person types at the box to put a backup back. */

import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import type { Body } from "../../../api/queries.ts";
import { CopyText } from "../../../parts/copy-text.tsx";
import { useFormat, useWords } from "../../../words/words.tsx";
import styles from "../cards.module.css";

export function Restore({ backups }: { readonly backups: Body<"/api/v1/backups"> }) {
  const { t } = useWords();
  const format = useFormat();
  const { backups: kept, restore } = backups;
  const [chosen, setChosen] = useState("");
  if (restore.length === 0) return null;
  const [newest] = kept;
  const name = kept.some((one) => one.name === chosen) ? chosen : newest?.name;
  const lines = restore.join("\n");
  const shown = newest && name ? lines.replace(newest.name, name) : lines;
  return (
    <section className={`box ${styles.section}`} aria-labelledby="backup-restore">
      <h2 className={styles.title} id="backup-restore">
        {t("backup.restore")}
      </h2>
      <p>{t("backup.restoreText")}</p>
      {kept.length > 1 && (
        <NativeSelect
          label={t("backup.restoreWhich")}
          value={name ?? ""}
          data={kept.map((one) => ({ value: one.name, label: format.dateTime(one.createdAt) }))}
          onChange={({ currentTarget: { value } }) => setChosen(value)}
        />
      )}
      <CopyText isBlock text={shown} />
      <p className="aside">{t("backup.restoreAfter")}</p>
    </section>
  );
}
