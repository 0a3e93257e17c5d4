/** What nobody knows of whether it was printed: not stored as receipts until somebody has said. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { type Body, read } from "../../api/queries.ts";
import { useDoubtfulText } from "../../parts/doubtful-text.ts";
import { Notice } from "../../parts/notice.tsx";
import { Empty, PageStates } from "../../parts/page-states.tsx";
import { PracticeNote } from "../../parts/practice.tsx";
import { useWords } from "../../words/words.tsx";
import styles from "./receipts.module.css";

export function DoubtfulList() {
  const { t } = useWords();
  const today = useQuery(read("/api/v1/today"));
  return (
    <PageStates
      query={today}
      isEmpty={({ doubtful }) => doubtful.length === 0}
      empty={<Empty title={t("receipts.noDoubt")} text={t("receipts.noDoubtText")} />}
    >
      {({ doubtful }) => (
        <ul className={styles.doubtful}>
          {doubtful.map((one) => (
            <li key={one.commandId}>
              <Asked one={one} />
            </li>
          ))}
        </ul>
      )}
    </PageStates>
  );
}

function Asked({ one }: { readonly one: Body<"/api/v1/today">["doubtful"][number] }) {
  const { t } = useWords();
  return (
    <Notice mood="bad" text={useDoubtfulText(one)}>
      <PracticeNote of={one} />
      <Button component={Link} href={`/doubtful/${one.commandId}`}>
        {t("doubtful.settle")}
      </Button>
    </Notice>
  );
}
