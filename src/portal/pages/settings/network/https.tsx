/** Whether what goes to the box is encrypted, and what to trust. */

import { Anchor } from "@mantine/core";
import type { Body } from "../../../api/queries.ts";
import { CopyText } from "../../../parts/copy-text.tsx";
import { type Fact, FactList } from "../../../parts/fact-list.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { type Mood, StateMark } from "../../../parts/state-mark.tsx";
import { useFormat, useWords, type Word } from "../../../words/words.tsx";
import styles from "../cards.module.css";
import { SettingLine } from "./setting-line.tsx";

type Network = Body<"/api/v1/network">;
type Secure = NonNullable<Network["https"]>;

const MARKS = {
  ok: { mood: "good", word: "network.https.ok" },
  degraded: { mood: "warn", word: "network.https.degraded" },
  failed: { mood: "bad", word: "network.https.failed" },
} as const satisfies Record<Secure["status"], { mood: Mood; word: Word }>;

const CURES = {
  degraded: "network.cure.degraded",
  failed: "network.cure.failed",
} as const satisfies Record<Exclude<Secure["status"], "ok">, Word>;

const SOURCES = {
  own: "network.source.own",
  files: "network.source.files",
  acme: "network.source.acme",
} as const satisfies Record<Secure["source"], Word>;

/** The authority's certificate for machines, and the same as text. */
const CA_FILES = [
  ["/ca.crt", "fiscald-ca.crt"],
  ["/ca.pem", "fiscald-ca.pem"],
] as const;

export function Https({ network }: { readonly network: Network }) {
  const { t } = useWords();
  const { https } = network;
  const { mood, word } =
    https === null ? ({ mood: "warn", word: "network.https.off" } as const) : MARKS[https.status];
  return (
    <section className={`box ${styles.section}`} aria-labelledby="network-https">
      <div className={styles.head}>
        <h2 className={styles.title} id="network-https">
          {t("network.https")}
        </h2>
        <StateMark mood={mood} word={t(word)} />
      </div>
      {https === null ? <p>{t("network.httpsOffText")}</p> : <Certificate https={https} />}
      {https?.authority && <Authority fingerprint={https.authority.fingerprint} />}
      <SettingLine settings={network.settings} area="https" values={{ certificate: "own" }} />
    </section>
  );
}

function Certificate({ https }: { readonly https: Secure }) {
  const { t } = useWords();
  const format = useFormat();
  const { certificate, detail, source } = https;
  const facts: readonly Fact[] =
    certificate === null
      ? []
      : [
          [t("network.goodFor"), certificate.names.join(", ")],
          [t("network.validUntil"), format.date(certificate.validUntil)],
        ];
  return (
    <>
      <p>{t(SOURCES[source])}</p>
      {https.status !== "ok" && (
        <Notice mood={MARKS[https.status].mood} text={t(CURES[https.status])} />
      )}
      {detail !== null && <CopyText text={detail} />}
      <FactList facts={facts} />
      {certificate !== null && (
        <div>
          <span className="aside">{t("network.fingerprint")}</span>
          <CopyText isBlock text={certificate.fingerprint} />
        </div>
      )}
    </>
  );
}

/** Whoever trusts it once sees no warning any more. */
function Authority({ fingerprint }: { readonly fingerprint: string }) {
  const { t } = useWords();
  return (
    <>
      <h3 className={styles.subtitle}>{t("network.trust")}</h3>
      <p>{t("network.trustText")}</p>
      <div className={styles.links}>
        <Anchor href="/ca">{t("network.trustHow")}</Anchor>
        {CA_FILES.map(([href, name]) => (
          <Anchor key={href} href={href} translate="no">
            {name}
          </Anchor>
        ))}
      </div>
      <p className="aside">{t("network.trustCompare")}</p>
      <CopyText isBlock text={fingerprint} />
    </>
  );
}
