/** A receipt of which nobody knows whether it was printed: above everything until a person has said. */

import { Button } from "@mantine/core";
import { Link } from "wouter";
import { useMay } from "../../api/hooks.ts";
import { doubtfulText } from "../../parts/doubtful-text.ts";
import { Notice } from "../../parts/notice.tsx";
import { PracticeNote } from "../../parts/practice.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import styles from "./today.module.css";
import type { Today } from "./today.ts";

export function Doubtful({ one }: { readonly one: Today["doubtful"][number] }) {
  const { t } = useWords();
  const may = useMay("operator");
  const format = useFormat();
  return (
    <section className={styles.doubtful} aria-label={t("doubtful.title")}>
      <strong>{t("doubtful.title")}</strong>
      <Notice mood="bad" text={doubtfulText(one, { t, format })}>
        <PracticeNote of={one} />
        {may && (
          <Button component={Link} href={`/doubtful/${one.commandId}`}>
            {t("doubtful.settle")}
          </Button>
        )}
      </Notice>
    </section>
  );
}
