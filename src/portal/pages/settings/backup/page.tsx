/** Backups: the last one, the next one, those that are kept, and how one is put back. */

import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../../api/hooks.ts";
import { type Body, read } from "../../../api/queries.ts";
import { BackupForm } from "../../../parts/backup-form.tsx";
import { type Fact, FactList } from "../../../parts/fact-list.tsx";
import { Page } from "../../../parts/page.tsx";
import { PageStates } from "../../../parts/page-states.tsx";
import { type Mood, StateMark } from "../../../parts/state-mark.tsx";
import { useFormat, useWords, type Word } from "../../../words/words.tsx";
import styles from "../cards.module.css";
import { KeptBackups } from "./kept.tsx";
import { LiveCopy } from "./live-copy.tsx";
import { MakeNow } from "./make-now.tsx";
import { Problem } from "./problem.tsx";
import { Restore } from "./restore.tsx";
import { sizeText } from "./size.ts";

type Backups = Body<"/api/v1/backups">;

/** Sticks come and go without an event. */
const LOOK_MS = 5_000;

export default function BackupPage() {
  const { t } = useWords();
  const backups = useQuery({ ...read("/api/v1/backups"), refetchInterval: LOOK_MS });
  const state = backups.data && stateOf(backups.data);
  return (
    <Page
      title={t("settings.page.backup")}
      aside={state && <StateMark mood={state.mood} word={t(state.word)} isFilled />}
    >
      <p>{t("backup.intro")}</p>
      <PageStates query={backups}>
        {(found) => (
          <>
            <Now backups={found} />
            <LiveCopy />
            <Settings backups={found} />
            <KeptBackups backups={found} />
            <Restore backups={found} />
          </>
        )}
      </PageStates>
    </Page>
  );
}

function stateOf({ settings, problem, startedAt, last }: Backups): { mood: Mood; word: Word } {
  if (startedAt !== null) return { mood: "work", word: "backup.state.working" };
  if (problem !== null) return { mood: "bad", word: "backup.state.failed" };
  if (!settings.hasPassphrase) return { mood: "warn", word: "backup.state.off" };
  return last === null
    ? { mood: "idle", word: "backup.state.none" }
    : { mood: "good", word: "backup.state.good" };
}

function Now({ backups }: { readonly backups: Backups }) {
  const { t } = useWords();
  const format = useFormat();
  const { last, nextAt, settings } = backups;
  const stick = settings.to.startsWith("usb:") ? settings.to.slice("usb:".length) : undefined;
  const places: Readonly<Record<string, string>> = {
    "": t("backup.placeBox"),
    usb: t("backup.placeAnyStick"),
  };
  const place =
    stick === undefined
      ? (places[settings.to] ?? settings.to)
      : t("backup.placeStick", { name: stick });
  const facts: readonly Fact[] = [
    [
      t("backup.last"),
      last === null
        ? t("backup.noneYet")
        : `${format.dateTime(last.createdAt)}, ${sizeText(last.bytes, format)}`,
    ],
    [t("backup.next"), nextAt === null ? t("backup.never") : format.dateTime(nextAt)],
    [t("backup.place"), place],
    [t("backup.keep"), t("backup.days", { count: settings.keepDays })],
  ];
  if (!settings.hasPassphrase) return <Problem backups={backups} />;
  return (
    <section className={`box ${styles.section}`} aria-label={t("backup.now")}>
      <Problem backups={backups} />
      <FactList facts={facts} />
      {settings.to === "" && <p className="aside">{t("backup.placeBoxText")}</p>}
      <MakeNow backups={backups} />
    </section>
  );
}

function Settings({ backups }: { readonly backups: Backups }) {
  const { t } = useWords();
  const isOwner = useMay("owner");
  return (
    <section className={`box ${styles.section}`} aria-labelledby="backup-settings">
      <h2 className={styles.title} id="backup-settings">
        {t(backups.settings.hasPassphrase ? "backup.settings" : "backup.begin")}
      </h2>
      {isOwner ? <BackupForm backups={backups} /> : <p>{t("backup.askOwner")}</p>}
    </section>
  );
}
