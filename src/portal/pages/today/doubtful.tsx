/** A receipt of which nobody knows whether it was printed: above everything until a person has said. */

import { Button } from "@mantine/core";
import { Link } from "wouter";
import { useMay } from "../../api/hooks.ts";
import { useDoubtfulText } from "../../parts/doubtful-text.ts";
import { Notice } from "../../parts/notice.tsx";
import { PracticeNote } from "../../parts/practice.tsx";
import { useWords } from "../../words/words.tsx";
import styles from "./today.module.css";
import type { Today } from "./today.ts";

export function Doubtful({ one }: { readonly one: Today["doubtful"][number] }) {
  const { t } = useWords();
  const may = useMay("operator");
  return (
    <section className={styles.doubtful} aria-label={t("doubtful.title")}>
      <strong>{t("doubtful.title")}</strong>
      <Notice mood="bad" text={useDoubtfulText(one)}>
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
