/** A receipt of which nobody knows whether it was printed: one question, and nothing besides. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "wouter";
import type { components } from "../../../client/index.ts";
import { useMay, useOrganization, useSession } from "../../api/hooks.ts";
import { read } from "../../api/queries.ts";
import { CopyText } from "../../parts/copy-text.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { PageStates } from "../../parts/page-states.tsx";
import { Paper } from "../../parts/paper.tsx";
import { receiptLines } from "../../parts/receipt-lines.ts";
import { useFormat, useWords } from "../../words/words.tsx";
import styles from "./doubtful.module.css";
import { saleOf } from "./sale-of.ts";
import { type Outcome, SayOutcome } from "./say-outcome.tsx";

type Command = components["schemas"]["Command"];

export default function DoubtfulPage() {
  const { t } = useWords();
  const { id: commandId = "" } = useParams();
  const command = useQuery(read("/api/v1/commands/{commandId}", { path: { commandId } }));
  return (
    <Page title={t("doubtful.title")}>
      <PageStates query={command}>
        {({ command: found }) => <Question command={found} />}
      </PageStates>
    </Page>
  );
}

function Question({ command }: { readonly command: Command }) {
  const { t } = useWords();
  const format = useFormat();
  const [said, setSaid] = useState<Outcome>();
  const [isUnsure, setUnsure] = useState(false);
  const may = useMay("operator");
  const { data: printer } = useQuery(
    read("/api/v1/devices/{deviceId}", { path: { deviceId: command.deviceId } }),
  );
  if (command.resolution?.outcome) return <Answered command={command} />;
  const isOpen = command.resolution !== undefined || command.status === "processing";
  if (!isOpen) return <Notice mood="good" text={t("doubtful.settled")} />;
  return (
    <div className={styles.columns}>
      <div className={styles.question}>
        <p>
          {t("doubtful.text", {
            what: t(`command.${command.type}`),
            printer: printer?.name ?? "",
            time: format.dateTime(command.createdAt),
          })}
        </p>
        {may && (
          <div className={styles.answers}>
            <Button size="lg" onClick={() => setSaid("printed")}>
              {t("doubtful.yes")}
            </Button>
            <Button size="lg" variant="default" onClick={() => setSaid("not_printed")}>
              {t("doubtful.no")}
            </Button>
            <Button size="lg" variant="subtle" onClick={() => setUnsure(true)}>
              {t("doubtful.unsure")}
            </Button>
          </div>
        )}
        {isUnsure && <HowToFindOut />}
        {command.result?.errorMessage !== undefined && (
          <CopyText text={command.result.errorMessage} />
        )}
      </div>
      <Sale command={command} />
      {said !== undefined && (
        <SayOutcome commandId={command.id} outcome={said} close={() => setSaid(undefined)} />
      )}
    </div>
  );
}

function HowToFindOut() {
  const { t } = useWords();
  return (
    <ol className="box" aria-live="polite">
      <li>{t("doubtful.how1")}</li>
      <li>{t("doubtful.how2")}</li>
      <li>{t("doubtful.how3")}</li>
    </ol>
  );
}

/** What the paper would show, where it is a sale. */
function Sale({ command }: { readonly command: Command }) {
  const { t } = useWords();
  const format = useFormat();
  const organization = useOrganization();
  const sale = saleOf(command, organization?.currency ?? "");
  if (sale === undefined) return null;
  return (
    <Paper
      label={t("doubtful.looks")}
      lines={receiptLines(sale, { t, format, shop: organization?.name ?? "" })}
      note={t("doubtful.looks")}
    />
  );
}

function Answered({ command: { resolution } }: { readonly command: Command }) {
  const { t } = useWords();
  const format = useFormat();
  const session = useSession();
  const time = format.dateTime(resolution?.resolvedAt ?? Date.now());
  const isPrinted = resolution?.outcome === "printed";
  const who = resolution?.resolvedBy ?? "";
  const name = session.kind === "in" && who.includes(session.user.id) ? session.user.name : who;
  return (
    <>
      <Notice
        mood="good"
        text={t(isPrinted ? "doubtful.answeredPrinted" : "doubtful.answeredNot", { time })}
      />
      <p className="aside">
        {t("doubtful.by")} <span translate="no">{name}</span>
      </p>
      <div>
        <Button component={Link} href="/">
          {t("unknown.home")}
        </Button>
      </div>
    </>
  );
}
