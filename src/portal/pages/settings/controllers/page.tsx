/** Other computers and phones that serve printers: who is there, and how one comes to it. */

import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/queries.ts";
import { Page } from "../../../parts/page.tsx";
import { Empty, PageStates } from "../../../parts/page-states.tsx";
import { StateMark } from "../../../parts/state-mark.tsx";
import { useWords } from "../../../words/words.tsx";
import styles from "../cards.module.css";
import { AddController } from "./add.tsx";
import { ControllerCard } from "./card.tsx";
import { PrinterLinks } from "./printer-links.tsx";

/** The name of the one inside the box. */
const BOX = "builtin";

export default function ControllersPage() {
  const { t } = useWords();
  const controllers = useQuery(read("/api/v1/controllers"));
  return (
    <Page title={t("settings.page.controllers")}>
      <p>{t("controllers.intro")}</p>
      <PageStates query={controllers}>
        {({ instances, known }) => (
          <>
            {known.length === 0 && (
              <Empty title={t("controllers.empty")} text={t("controllers.emptyText")} />
            )}
            <ul className={styles.cards} aria-label={t("settings.page.controllers")}>
              {known.map((one) => (
                <ControllerCard
                  key={one.controllerId}
                  controller={one}
                  live={instances.find(({ controllerId }) => controllerId === one.controllerId)}
                />
              ))}
              {instances
                .filter(({ controllerId }) => controllerId === BOX)
                .map((box) => (
                  <Box key={BOX} printers={box.connectedDevices} />
                ))}
            </ul>
            <AddController />
          </>
        )}
      </PageStates>
    </Page>
  );
}

/** What the box serves by itself. */
function Box({ printers }: { readonly printers: readonly string[] }) {
  const { t } = useWords();
  return (
    <li className={`box ${styles.card}`}>
      <div className={styles.head}>
        <strong>{t("controllers.box")}</strong>
        <StateMark mood="good" word={t("controllers.on")} />
      </div>
      <p className="aside">{t("controllers.boxText")}</p>
      <PrinterLinks ids={printers} none={t("controllers.boxNone")} />
    </li>
  );
}
