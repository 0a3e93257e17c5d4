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
import type { TabProps } from "../tab.ts";
import { useChange, useReadAgain } from "./change.ts";
import styles from "./manage.module.css";
import { useWaiting } from "./waiting.ts";

const BOX = "builtin";

export function ServedBy({ printer }: Pick<TabProps, "printer">) {
  const { t } = useWords();
  const [isAsking, setAsking] = useState(false);
  const { controllerId, controllerName, managedBy } = printer;
  const count = useWaiting(printer);
  const again = useReadAgain();
  const change = useChange(printer);
  const release = useMutation({
    mutationFn: (from: string) =>
      answer(
        api.POST("/api/v1/devices/{deviceId}/release", {
          params: { path: { deviceId: printer.id } },
          body: { controllerId: from },
        }),
      ),
    onSettled: again,
  });
  const isBox = managedBy === "builtin";
  const give = async () => {
    if (controllerId !== null) await release.mutateAsync(controllerId);
    // Released printers wait for a computer or a phone; the box takes them when it is told to.
    if (isBox && controllerId === null) await change.mutateAsync({ managedBy: "remote" });
    if (!isBox) await change.mutateAsync({ managedBy: "builtin" });
  };
  const hand = useMutation({ mutationFn: give, onSuccess: () => setAsking(false) });
  const now =
    controllerId === BOX
      ? t("manage.servedByBox")
      : controllerId === null
        ? t(isBox ? "manage.servedSoon" : "manage.servedByNobody")
        : t("manage.servedBy", { name: controllerName ?? controllerId });
  const action = t(isBox ? "manage.handOver" : "manage.takeBack");
  return (
    <Section title={t("manage.served")} text={now}>
      <div className={styles.buttons}>
        <Button variant="default" onClick={() => setAsking(true)}>
          {action}
        </Button>
      </div>
      <Confirm
        isOpen={isAsking}
        title={t(isBox ? "manage.handOverTitle" : "manage.takeBackTitle", {
          printer: printer.name,
        })}
        text={t(isBox ? "manage.handOverText" : "manage.takeBackText")}
        action={action}
        isBusy={hand.isPending}
        onConfirm={() => hand.mutate()}
        onClose={() => setAsking(false)}
      >
        {count > 0 && <Notice mood="warn" text={t("manage.handOverWaiting", { count })} />}
        {hand.isError && <Notice mood="bad" text={t(reasonFor(hand.error))} />}
      </Confirm>
    </Section>
  );
}
