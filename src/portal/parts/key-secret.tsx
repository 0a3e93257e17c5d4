/** A key's text, which is shown this once, with the lines by which a till prints its first receipt. */

import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/queries.ts";
import { useWords } from "../words/words.tsx";
import { CopyText } from "./copy-text.tsx";
import styles from "./key-secret.module.css";
import { Notice } from "./notice.tsx";
import { firstSaleNumber, tillLines } from "./till-lines.ts";

/** As docs and the page of the network call it. */
const AUTHORITY_FILE = "fiscald-ca.pem";

/** Where a box with an authority of its own gives it to everybody; any other answers 404. */
const AUTHORITY_PATH = "/ca.pem";

/** Whether the page came encrypted by a certificate that other machines do not know yet. */
function useOwnAuthority() {
  const isEncrypted = location.protocol === "https:";
  const { data = false, isPending } = useQuery({
    queryKey: [AUTHORITY_PATH],
    queryFn: async ({ signal }) => (await fetch(AUTHORITY_PATH, { signal })).ok,
    enabled: isEncrypted,
  });
  return { hasOwnAuthority: data, isUnknown: isEncrypted && isPending };
}

export function KeySecret({ apiKey }: { readonly apiKey: string }) {
  const { t } = useWords();
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  // What a till is connected to is a real printer, where there is one.
  const printer = devices.findLast(({ simulated }) => !simulated) ?? devices.at(-1);
  const { hasOwnAuthority, isUnknown } = useOwnAuthority();
  const facts = {
    ...{ url: location.origin, apiKey, deviceId: printer?.id ?? "dev_..." },
    uniqueSaleNumber: firstSaleNumber(printer?.serialNumber ?? null, apiKey),
    authorityFile: hasOwnAuthority ? AUTHORITY_FILE : undefined,
  };
  return (
    <div className={styles.secret}>
      <Notice mood="warn" text={t("setup.key.once")} />
      <CopyText isBlock text={apiKey} />
      <h2 className={styles.heading}>{t("setup.key.lines")}</h2>
      {hasOwnAuthority && (
        <p>
          {t("setup.key.authority", { file: AUTHORITY_FILE })}{" "}
          <Anchor className="reach" href={AUTHORITY_PATH} download={AUTHORITY_FILE}>
            {AUTHORITY_FILE}
          </Anchor>
        </p>
      )}
      {Object.entries(isUnknown ? {} : tillLines(facts)).map(([name, text]) => (
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
