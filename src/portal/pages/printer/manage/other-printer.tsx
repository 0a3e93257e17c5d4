/** Another printer stands where this one should be: what to do before anything is printed there. */

import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { answer, type components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { useMay } from "../../../api/hooks.ts";
import { read } from "../../../api/queries.ts";
import { Confirm } from "../../../parts/confirm.tsx";
import { dotted } from "../../../parts/dotted.ts";
import { FactList } from "../../../parts/fact-list.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { reasonFor } from "../../../parts/reason-for.ts";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import type { TabProps } from "../tab.ts";
import { useReadAgain } from "./change.ts";
import styles from "./manage.module.css";

type Numbers = Pick<components["schemas"]["Device"], "serialNumber" | "fiscalMemorySerialNumber">;

interface OtherPrinterProps extends Pick<TabProps, "printer"> {
  /** It was taken in the place of this one, or stands at its own address now. */
  readonly accepted: (
    done: { word: "otherPrinter.goesOn" } | { word: "otherPrinter.exchanged"; other: string },
  ) => void;
}

export function OtherPrinter({ printer, accepted }: OtherPrinterProps) {
  const { t } = useWords();
  const path = { deviceId: printer.id };
  const { data } = useQuery(read("/api/v1/devices/{deviceId}/status", { path }));
  const own = useQuery(read("/api/v1/devices", {})).data?.find(
    ({ id }) => id === data?.otherPrinter?.deviceId,
  );
  const numbers = (of: Numbers) =>
    dotted([of.serialNumber, of.fiscalMemorySerialNumber]) || t("otherPrinter.unnumbered");
  return (
    <Section title={t("otherPrinter.title")} text={t("otherPrinter.text")} isDanger>
      <FactList
        facts={[
          [t("otherPrinter.expected"), numbers(printer)],
          [t("otherPrinter.found"), data?.otherPrinter && numbers(data.otherPrinter)],
          [
            t("otherPrinter.registered"),
            own && (
              <Link className="reach" href={`/printers/${own.id}`}>
                {own.name}
              </Link>
            ),
          ],
        ]}
      />
      {/* One of them is the case: they are not done one after the other. */}
      <ul className={styles.steps}>
        <li>{t("otherPrinter.step1")}</li>
        <li>{t("otherPrinter.step2")}</li>
        <li>{t(own === undefined ? "otherPrinter.step3" : "otherPrinter.stepRegistered")}</li>
      </ul>
      {data?.otherPrinter && <Accept printer={printer} own={own} accepted={accepted} />}
    </Section>
  );
}

interface AcceptProps extends OtherPrinterProps {
  /** The record that the other printer has already. */
  readonly own: TabProps["printer"] | undefined;
}

function Accept({ printer, own, accepted }: AcceptProps) {
  const { t } = useWords();
  const isOwner = useMay("owner");
  const [isAsking, setAsking] = useState(false);
  const again = useReadAgain();
  const params = { path: { deviceId: printer.id } };
  const accept = useMutation({
    mutationFn: () => answer(api.POST("/api/v1/devices/{deviceId}/accept-printer", { params })),
    onSuccess: async () => {
      await again();
      setAsking(false);
      accepted(
        own === undefined
          ? { word: "otherPrinter.goesOn" }
          : { word: "otherPrinter.exchanged", other: own.name },
      );
    },
  });
  if (!isOwner) return <Notice mood="idle" text={t("restored.ownerOnly")} />;
  const deed = own === undefined ? "accept" : "exchange";
  return (
    <div className={styles.buttons}>
      <Button onClick={() => setAsking(true)}>{t(`otherPrinter.${deed}`)}</Button>
      <Confirm
        isOpen={isAsking}
        isDanger={own === undefined}
        title={
          own === undefined
            ? t("otherPrinter.acceptTitle", { printer: printer.name })
            : t("otherPrinter.exchangeTitle", { printer: printer.name, other: own.name })
        }
        text={t(`otherPrinter.${deed}Text`)}
        action={t(`otherPrinter.${deed}`)}
        isBusy={accept.isPending}
        failure={accept.isError ? t(reasonFor(accept.error)) : undefined}
        onConfirm={() => accept.mutate()}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
