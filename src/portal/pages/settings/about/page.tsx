/** What runs here, how it is, where to read on, and what to give whoever helps. */

import { Anchor, Button, Stack } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { useMay } from "../../../api/hooks.ts";
import { FactList } from "../../../parts/fact-list.tsx";
import { HEALTH_MOODS, type Health, inWords, PARTS, readHealth } from "../../../parts/health.ts";
import { Notice } from "../../../parts/notice.tsx";
import { Page } from "../../../parts/page.tsx";
import { PageStates } from "../../../parts/page-states.tsx";
import { reasonFor } from "../../../parts/reason-for.ts";
import { saveFile } from "../../../parts/save-file.ts";
import { Section } from "../../../parts/section.tsx";
import { StateMark } from "../../../parts/state-mark.tsx";
import { useFormat, useWords } from "../../../words/words.tsx";
import styles from "./about.module.css";

export default function AboutPage() {
  const { t } = useWords();
  const health = useQuery(readHealth);
  const mayDiagnose = useMay("admin");
  return (
    <Page title={t("settings.page.about")}>
      <PageStates query={health}>{(found) => <HealthOf health={found} />}</PageStates>
      <Section title={t("about.read")}>
        <Stack gap={0}>
          <Anchor className="tap" href="/docs/" target="_blank">
            {t("about.handbook")}
          </Anchor>
          <Anchor className="tap" href="/api/v1/docs" target="_blank">
            {t("about.api")}
          </Anchor>
        </Stack>
      </Section>
      {mayDiagnose && <Diagnostics />}
    </Page>
  );
}

function HealthOf({ health }: { readonly health: Health }) {
  const { t } = useWords();
  const format = useFormat();
  return (
    <>
      <FactList
        facts={[
          [t("about.version"), health.version],
          [t("about.uptime"), format.duration(health.uptimeSeconds * 1_000)],
        ]}
      />
      <Section title={t("about.health")}>
        <ul className={styles.parts}>
          {PARTS.map((part) => {
            const check = health.checks[part];
            return (
              check && (
                <li key={part}>
                  <span className={styles.part}>
                    <span>{t(`health.part.${part}`)}</span>
                    {check.findings?.map(({ code, params }) => (
                      <span key={code} className="aside">
                        {t(`health.finding.${code}`, inWords(params, format))}
                      </span>
                    ))}
                  </span>
                  <StateMark
                    mood={HEALTH_MOODS[check.status]}
                    word={t(`health.status.${check.status}`)}
                  />
                </li>
              )
            );
          })}
        </ul>
      </Section>
    </>
  );
}

/** For support: without sales and secrets. */
function Diagnostics() {
  const { t } = useWords();
  const save = useMutation({
    async mutationFn() {
      const found = await answer(api.GET("/api/v1/diagnostics"));
      const text = JSON.stringify(found, null, 2);
      const file = new Blob([text], { type: "application/json" });
      saveFile(file, `fiscald-diagnostics-${found.madeAt.slice(0, 10)}.json`);
    },
  });
  return (
    <Section title={t("about.diagnostics")} text={t("about.diagnosticsText")}>
      <div>
        <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
          {t("about.download")}
        </Button>
      </div>
      {save.error && <Notice mood="bad" text={t(reasonFor(save.error))} />}
    </Section>
  );
}
