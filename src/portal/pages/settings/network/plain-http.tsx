/** What is answered without encryption, and to whom. */

import type { Body } from "../../../api/queries.ts";
import { useWords, type Word } from "../../../words/words.tsx";
import styles from "../cards.module.css";
import { SettingLine } from "./setting-line.tsx";

type Plain = Body<"/api/v1/network">["http"];

const SENTENCES = {
  all: "network.redirect.all",
  pages: "network.redirect.pages",
  none: "network.redirect.none",
} as const satisfies Record<Plain["redirect"], Word>;

export function PlainHttp({ network }: { readonly network: Body<"/api/v1/network"> }) {
  const { t } = useWords();
  const { redirect, plainFrom, behindProxy } = network.http;
  const tills = plainFrom.join(", ");
  return (
    <section className={`box ${styles.section}`} aria-labelledby="network-plain">
      <h2 className={styles.title} id="network-plain">
        {t("network.plainTitle")}
      </h2>
      <p>{t(behindProxy ? "network.behindProxy" : SENTENCES[redirect])}</p>
      {redirect !== "none" && (
        <p>{tills === "" ? t("network.noOldTills") : t("network.oldTills", { tills })}</p>
      )}
      <SettingLine
        settings={network.settings}
        area="http"
        values={{ redirect, plainFrom: plainFrom.length > 0 ? plainFrom : ["192.168.1.20"] }}
      />
    </section>
  );
}
