/** When the shop's day is closed. */

import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/queries.ts";
import { ClosingForm } from "../../../parts/closing-form.tsx";
import { Page } from "../../../parts/page.tsx";
import { PageStates } from "../../../parts/page-states.tsx";
import { useWords } from "../../../words/words.tsx";
import styles from "../cards.module.css";

export default function ClosingPage() {
  const { t } = useWords();
  const organization = useQuery(read("/api/v1/org"));
  return (
    <Page title={t("settings.page.closing")}>
      <p>{t("closing.intro")}</p>
      <PageStates query={organization}>
        {(found) => (
          <section className={`box ${styles.section}`}>
            <ClosingForm organization={found} />
          </section>
        )}
      </PageStates>
    </Page>
  );
}
