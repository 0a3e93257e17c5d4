/** Where tills, phones and browsers reach the box, and whether they can trust the way. */

import { useQuery } from "@tanstack/react-query";
import { type Body, read } from "../../../api/queries.ts";
import { CopyText } from "../../../parts/copy-text.tsx";
import { dotted } from "../../../parts/dotted.ts";
import { Notice } from "../../../parts/notice.tsx";
import { Page } from "../../../parts/page.tsx";
import { PageStates } from "../../../parts/page-states.tsx";
import { useWords } from "../../../words/words.tsx";
import styles from "../cards.module.css";
import { Https } from "./https.tsx";
import own from "./network.module.css";
import { PlainHttp } from "./plain-http.tsx";
import { SettingLine } from "./setting-line.tsx";

type Network = Body<"/api/v1/network">;

export default function NetworkPage() {
  const { t } = useWords();
  const network = useQuery(read("/api/v1/network"));
  return (
    <Page title={t("settings.page.network")}>
      <PageStates query={network}>
        {(found) => (
          <>
            <Addresses network={found} />
            <Https network={found} />
            <PlainHttp network={found} />
            <Name network={found} />
          </>
        )}
      </PageStates>
    </Page>
  );
}

function Addresses({ network }: { readonly network: Network }) {
  const { t } = useWords();
  return (
    <section className={`box ${styles.section}`} aria-labelledby="network-addresses">
      <h2 className={styles.title} id="network-addresses">
        {t("network.addresses")}
      </h2>
      {!network.onlyHere && <p>{t("network.addressesText")}</p>}
      {network.addresses.length === 0 && <Notice mood="bad" text={t("network.noNetwork")} />}
      {network.onlyHere && network.addresses.length > 0 && (
        <>
          <Notice mood="warn" text={t("network.onlyHere")} />
          <SettingLine
            isOpen
            settings={network.settings}
            area="http"
            values={{ listen: `0.0.0.0:${network.http.port}` }}
          />
        </>
      )}
      <ul className={own.addresses}>
        {network.addresses.map(({ url, kind, secure, qr }) => (
          <li key={url}>
            {/* A phone that opened it would look for the box in itself. */}
            {!network.onlyHere && (
              <img
                className={own.code}
                src={`data:image/svg+xml,${encodeURIComponent(qr)}`}
                alt={t("network.code", { url })}
              />
            )}
            <div className={own.names}>
              <CopyText text={url} />
              <span className="aside">
                {dotted([
                  t(secure ? "network.secure" : "network.plain"),
                  t(kind === "name" ? "network.byName" : "network.byAddress"),
                ])}
              </span>
            </div>
          </li>
        ))}
      </ul>
      <p className="aside">{t("network.thisBrowser")}</p>
      <CopyText text={location.origin} />
    </section>
  );
}

/** How the network finds the box without its number. */
function Name({ network }: { readonly network: Network }) {
  const { t } = useWords();
  const { mdnsName, hostname } = network;
  return (
    <section className={`box ${styles.section}`} aria-labelledby="network-name">
      <h2 className={styles.title} id="network-name">
        {t("network.name")}
      </h2>
      {mdnsName === null ? (
        <p>{t("network.noName", { hostname })}</p>
      ) : (
        <>
          <CopyText text={mdnsName} />
          <p>{t("network.nameText")}</p>
        </>
      )}
      <SettingLine settings={network.settings} area="mdns" values={{ name: "fiscald" }} />
    </section>
  );
}
