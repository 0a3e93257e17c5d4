/** A key's text, which is shown this once, with the lines by which a till prints its first receipt. */

import { useQuery } from "@tanstack/react-query";
import { read } from "../api/queries.ts";
import { useWords } from "../words/words.tsx";
import { CopyText } from "./copy-text.tsx";
import styles from "./key-secret.module.css";
import { Notice } from "./notice.tsx";
import { firstSaleNumber, tillLines } from "./till-lines.ts";

export function KeySecret({ apiKey }: { readonly apiKey: string }) {
  const { t } = useWords();
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  // What a till is connected to is a real printer, where there is one.
  const printer = devices.findLast(({ simulated }) => !simulated) ?? devices.at(-1);
  const facts = {
    ...{ url: location.origin, apiKey, deviceId: printer?.id ?? "dev_..." },
    uniqueSaleNumber: firstSaleNumber(printer?.serialNumber ?? null),
  };
  return (
    <div className={styles.secret}>
      <Notice mood="warn" text={t("setup.key.once")} />
      <CopyText isBlock text={apiKey} />
      <h2 className={styles.heading}>{t("setup.key.lines")}</h2>
      {Object.entries(tillLines(facts)).map(([name, text]) => (
        <section key={name} aria-label={name}>
          <h3 className="aside" translate="no">
            {name}
          </h3>
          <CopyText isBlock text={text} />
        </section>
      ))}
    </div>
  );
}
