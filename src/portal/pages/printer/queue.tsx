/** What a printer works on and what waits for it; what has not begun can be cancelled. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useBoxNow, useMay } from "../../api/hooks.ts";
import { useCancelling } from "../../parts/cancelling.ts";
import { amountOf, type Command } from "../../parts/command-state.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { SettleLeftOpen } from "../../parts/left-open.tsx";
import { Money } from "../../parts/money.tsx";
import { PageStates } from "../../parts/page-states.tsx";
import { commandsOf } from "../../parts/working.ts";
import { useFormat, useWords } from "../../words/words.tsx";
import styles from "./printer.module.css";

const SHOWN_MAX = 50;

export function Queue({ deviceId }: { readonly deviceId: string }) {
  const { t } = useWords();
  const [chosen, setChosen] = useState<Command>();
  const waiting = useQuery(commandsOf(deviceId, "pending"));
  const { data: sent } = useQuery(commandsOf(deviceId, "sent"));
  const { data: working } = useQuery(commandsOf(deviceId, "processing"));
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{t("printer.queue")}</h2>
      <PageStates query={waiting}>
        {({ commands }) => {
          const all = [...(working?.commands ?? []), ...(sent?.commands ?? []), ...commands];
          if (all.length === 0) return <p className="quiet">{t("printer.queueEmpty")}</p>;
          return (
            <ul className={styles.queue}>
              {all.slice(0, SHOWN_MAX).map((command) => (
                <Row key={command.id} command={command} cancel={() => setChosen(command)} />
              ))}
              {all.length > SHOWN_MAX && (
                <li className="aside">{t("printer.more", { count: all.length - SHOWN_MAX })}</li>
              )}
            </ul>
          );
        }}
      </PageStates>
      {chosen !== undefined && <Cancel command={chosen} close={() => setChosen(undefined)} />}
    </section>
  );
}

function Row({ command, cancel }: { readonly command: Command; readonly cancel: () => void }) {
  const { t } = useWords();
  const format = useFormat();
  const now = useBoxNow(1_000);
  const may = useMay("operator");
  const isWaiting = command.status === "pending";
  const since = Date.parse(isWaiting ? command.createdAt : (command.sentAt ?? command.createdAt));
  const amount = amountOf(command);
  return (
    <li className={styles.command}>
      <span>
        <strong>{t(`command.${command.type}`)}</strong>{" "}
        <span className="aside">
          {t(isWaiting ? "printer.waits" : "printer.works", { time: format.duration(now - since) })}
        </span>
      </span>
      {amount !== undefined && <Money amount={amount} currency={command.currency} />}
      {may && <SettleLeftOpen command={command} />}
      {isWaiting && may && (
        <Button variant="default" onClick={cancel}>
          {t("printer.cancel")}
        </Button>
      )}
    </li>
  );
}

function Cancel({ command, close }: { readonly command: Command; readonly close: () => void }) {
  const { t } = useWords();
  const format = useFormat();
  const cancel = useCancelling(command, close);
  const what = t(`command.${command.type}`);
  const amount = amountOf(command);
  const text =
    amount === undefined
      ? t("printer.cancelTextPlain", { what })
      : t("printer.cancelText", {
          what,
          amount: format.money(amount, command.currency ?? undefined),
        });
  return (
    <Confirm
      isOpen
      isDanger
      title={t("printer.cancelTitle")}
      text={text}
      action={t("printer.cancelAction")}
      isBusy={cancel.isPending}
      failure={cancel.failure && t(cancel.failure)}
      onConfirm={() => cancel.mutate()}
      onClose={close}
    />
  );
}
