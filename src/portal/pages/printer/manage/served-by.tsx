/** Which computer or phone talks to the printer, and handing it over. */

import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { Confirm } from "../../../parts/confirm.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { reasonFor } from "../../../parts/reason-for.ts";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import type { Printer, TabProps } from "../tab.ts";
import { useReadAgain } from "./change.ts";
import styles from "./manage.module.css";
import { useWaiting } from "./waiting.ts";

const BOX = "builtin";

/** Away from the box, or back to it. */
type Way = "handOver" | "takeBack";

export function ServedBy({ printer }: Pick<TabProps, "printer">) {
  const { t } = useWords();
  // As it was when it was asked: the printer changes while the question still stands.
  const [asked, setAsked] = useState<Way>();
  const { controllerId, controllerName, managedBy } = printer;
  const count = useWaiting(printer);
  const hand = useHand(printer);
  const isBox = managedBy === "builtin";
  const way: Way = isBox ? "handOver" : "takeBack";
  const now =
    controllerId === BOX
      ? t("manage.servedByBox")
      : controllerId === null
        ? t(isBox ? "manage.servedSoon" : "manage.servedByNobody")
        : t("manage.servedBy", { name: controllerName ?? controllerId });
  return (
    <Section title={t("manage.served")} text={now}>
      <div className={styles.buttons}>
        <Button variant="default" onClick={() => setAsked(way)}>
          {t(`manage.${way}`)}
        </Button>
      </div>
      {asked !== undefined && (
        <Confirm
          isOpen
          title={t(`manage.${asked}Title`, { printer: printer.name })}
          text={t(`manage.${asked}Text`)}
          action={t(`manage.${asked}`)}
          isBusy={hand.isPending}
          failure={hand.isError ? t(reasonFor(hand.error)) : undefined}
          onConfirm={() => hand.mutate(asked, { onSuccess: () => setAsked(undefined) })}
          onClose={() => setAsked(undefined)}
        >
          {count > 0 && <Notice mood="warn" text={t("manage.handOverWaiting", { count })} />}
        </Confirm>
      )}
    </Section>
  );
}

/** A printer that is taken from its controller waits for one that is not the box. */
function useHand({ id: deviceId, controllerId }: Printer) {
  const again = useReadAgain();
  const params = { path: { deviceId } };
  const manage = (managedBy: Printer["managedBy"]) =>
    answer(api.PATCH("/api/v1/devices/{deviceId}", { params, body: { managedBy } }));
  return useMutation({
    async mutationFn(way: Way) {
      if (controllerId !== null) {
        const body = { controllerId };
        await answer(api.POST("/api/v1/devices/{deviceId}/release", { params, body }));
      }
      await manage(way === "handOver" ? "remote" : "builtin");
    },
    onSettled: again,
  });
}
