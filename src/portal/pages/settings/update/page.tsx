/** Which version runs, whether there is a newer one, how it is brought, and what the last update did. */

import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { type Body, queries, read } from "../../../api/queries.ts";
import { CopyText } from "../../../parts/copy-text.tsx";
import { type Fact, FactList } from "../../../parts/fact-list.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { Page } from "../../../parts/page.tsx";
import { PageStates } from "../../../parts/page-states.tsx";
import { StateMark } from "../../../parts/state-mark.tsx";
import { useFormat, useWords, type Word } from "../../../words/words.tsx";
import styles from "../cards.module.css";
import { SettingLine } from "../network/setting-line.tsx";
import { Past } from "./past.tsx";

type Update = Body<"/api/v1/update">;

const INSTALLED = {
  archive: "update.by.archive",
  package: "update.by.package",
  hand: "update.by.hand",
} as const satisfies Record<Update["installedBy"], Word>;

export default function UpdatePage() {
  const { t } = useWords();
  const update = useQuery(read("/api/v1/update"));
  return (
    <Page title={t("settings.page.update")}>
      <PageStates query={update}>
        {(found) => (
          <>
            <BrokenOff update={found} />
            <Version update={found} />
            <Steps update={found} />
            <Past update={found} />
          </>
        )}
      </PageStates>
    </Page>
  );
}

/** An update that has left the box between two versions, with what puts that right. */
function BrokenOff({ update: { brokenOff } }: { readonly update: Update }) {
  const { t } = useWords();
  const format = useFormat();
  if (brokenOff === null) return null;
  const { to, since, command } = brokenOff;
  const what =
    to === null || since === null
      ? t("update.brokenOff")
      : t("update.brokenOffTo", { version: to, time: format.dateTime(since) });
  return (
    <section className={`box ${styles.section}`} aria-label={t("update.brokenOff")}>
      <Notice mood="bad" text={what} />
      <p>{t("update.goBack")}</p>
      <CopyText isBlock text={command} />
    </section>
  );
}

function Version({ update }: { readonly update: Update }) {
  const { t } = useWords();
  const format = useFormat();
  const { version, installedBy, newest, versions } = update;
  const since = versions.find((one) => one.version === version)?.since;
  const facts: readonly Fact[] = [
    [t("update.version"), version],
    [t("update.since"), since === undefined ? null : format.dateTime(since)],
    [t("update.installed"), t(INSTALLED[installedBy])],
  ];
  return (
    <section className={`box ${styles.section}`} aria-label={t("update.version")}>
      <FactList facts={facts} />
      {newest !== null && (
        <StateMark
          mood={newest.isNewer ? "warn" : "good"}
          word={
            newest.isNewer ? t("update.newer", { version: newest.version }) : t("update.isNewest")
          }
        />
      )}
      <Look update={update} />
    </section>
  );
}

/** Looking for a newer version, where somebody said where. */
function Look({ update }: { readonly update: Update }) {
  const { t } = useWords();
  const format = useFormat();
  const { canLook, place, newest, problem, lacksKey } = update;
  const { data: network } = useQuery({ ...read("/api/v1/network"), enabled: !canLook });
  const look = useMutation({
    mutationFn: () => answer(api.POST("/api/v1/update/check", {})),
    onSuccess: (found) => {
      queries.setQueryData(read("/api/v1/update").queryKey, found);
    },
  });
  if (!canLook) {
    return (
      <>
        <p>{t("update.noPlace")}</p>
        {network !== undefined && (
          <SettingLine
            settings={network.settings}
            area="update"
            values={{ from: "https://releases.example/fiscald" }}
          />
        )}
      </>
    );
  }
  return (
    <>
      {newest !== null && (
        <p className="aside">{t("update.lookedAt", { time: format.dateTime(newest.checkedAt) })}</p>
      )}
      <p className="aside">
        {place !== null && `${t("update.place", { place })} `}
        {t("update.privacy")}
      </p>
      <div>
        <Button variant="default" loading={look.isPending} onClick={() => look.mutate()}>
          {t("update.look")}
        </Button>
      </div>
      {(problem !== null || look.isError) && (
        <Notice mood="bad" text={t(lacksKey ? "update.lacksKey" : "update.lookFailed")} />
      )}
      {problem !== null && !lacksKey && <CopyText text={problem} />}
    </>
  );
}

/** What a person at the box types. */
function Steps({ update }: { readonly update: Update }) {
  const { t } = useWords();
  const { installedBy, commands, lacksKey } = update;
  const archiveText = lacksKey ? "update.stepsNoKey" : "update.stepsBack";
  return (
    <section className={`box ${styles.section}`} aria-labelledby="update-steps">
      <h2 className={styles.title} id="update-steps">
        {t("update.steps")}
      </h2>
      {installedBy === "hand" ? (
        <p>{t("update.stepsHand")}</p>
      ) : (
        <>
          <p>{t("update.stepsText")}</p>
          <CopyText isBlock text={commands.join("\n")} />
          <p>{t(installedBy === "archive" ? archiveText : "update.stepsPackage")}</p>
          <p className="aside">{t("update.whyByHand")}</p>
        </>
      )}
    </section>
  );
}
