/** Step 4: finding the printer. It looks at the ports by itself, and where one says in the network. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { read } from "../../api/queries.ts";
import { Icon } from "../../parts/icon.tsx";
import { Notice } from "../../parts/notice.tsx";
import { PageStates } from "../../parts/page-states.tsx";
import { PracticeNote } from "../../parts/practice.tsx";
import found from "../../parts/printer-search/printer-search.module.css";
import { PrinterSearch } from "../../parts/printer-search/printer-search.tsx";
import { SimulatedForm } from "../../parts/printer-search/simulated-form.tsx";
import { StateMark } from "../../parts/state-mark.tsx";
import { useWords } from "../../words/words.tsx";
import styles from "./setup.module.css";
import type { StepProps } from "./steps.ts";

export function PrinterStep({ next }: StepProps) {
  const { t } = useWords();
  const devices = useQuery(read("/api/v1/devices"));
  const [added, setAdded] = useState<string>();
  const ends = useRef<HTMLDivElement>(null);
  // Its line is on top, out of sight on a phone; the button that was pressed may be gone.
  useEffect(() => {
    if (added !== undefined) ends.current?.querySelector<HTMLElement>("button:last-child")?.focus();
  }, [added]);
  const onAdded = ({ name }: { readonly name: string }) => setAdded(name);
  return (
    <div className={styles.form}>
      <PageStates query={devices}>
        {(known) => (
          <>
            {known.length > 0 && (
              <ul className={found.list} aria-label={t("setup.printer.known")}>
                {known.map((device) => (
                  <li key={device.id} className={found.find}>
                    <Icon name="printer" size={24} />
                    <span className={found.names}>
                      <strong>{device.name}</strong>
                      <span className="aside">{device.model}</span>
                    </span>
                    <PracticeNote of={device} />
                    <StateMark mood="good" word={t("setup.printer.added")} />
                  </li>
                ))}
              </ul>
            )}
            <PrinterSearch known={known} onAdded={onAdded} />
            <h2 className={styles.heading}>{t("simulated.title")}</h2>
            <p className="quiet">{t("simulated.text")}</p>
            <SimulatedForm onAdded={onAdded} />
            {added !== undefined && (
              <Notice mood="good" text={t("setup.printer.isAdded", { printer: added })} />
            )}
            <div className={styles.ends} ref={ends}>
              <Button variant={known.length > 0 ? "filled" : "default"} onClick={next}>
                {t(known.length > 0 ? "setup.next" : "setup.later")}
              </Button>
            </div>
          </>
        )}
      </PageStates>
    </div>
  );
}
