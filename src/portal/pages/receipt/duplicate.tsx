/** Prints a copy: a printer can repeat its last receipt, and no other. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { components } from "../../../client/index.ts";
import { useMay } from "../../api/hooks.ts";
import { read } from "../../api/queries.ts";
import { CommandProgress } from "../../parts/command-progress.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { NotAsked } from "../../parts/not-asked.tsx";
import { Notice } from "../../parts/notice.tsx";
import { useOrder } from "../../parts/order.ts";
import { notAskedWord } from "../../parts/wish-key.ts";
import { useWords } from "../../words/words.tsx";

type Receipt = components["schemas"]["Receipt"];

export function Duplicate({ receipt }: { readonly receipt: Receipt }) {
  const { t } = useWords();
  const may = useMay("operator");
  const { id, deviceId, fiscalId } = receipt;
  const [isAsked, setAsked] = useState(false);
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  const printer = devices.find((device) => device.id === deviceId)?.name;
  const found = useQuery(read("/api/v1/receipts/{receiptId}", { path: { receiptId: id } }));
  const print = useOrder({ id: deviceId }, { name: "duplicate", heard: () => setAsked(false) });
  const failure = notAskedWord(print.error);
  if (!may || printer === undefined || receipt.source !== "command") return null;
  const isLast = found.data?.repeatable === true;
  return (
    <>
      <Button
        variant="default"
        disabled={!isLast || (print.isPending && !isAsked)}
        onClick={() => {
          print.anew();
          setAsked(true);
        }}
      >
        {t("receipt.duplicate")}
      </Button>
      {found.data !== undefined && !isLast && (
        <p className="aside">{t("receipt.duplicateLast", { printer })}</p>
      )}
      <NotAsked order={print} isInDialog={isAsked} />
      {print.data !== undefined && <CommandProgress commandId={print.data.id} />}
      <Confirm
        isOpen={isAsked}
        title={t("receipt.duplicateTitle")}
        text={t("receipt.duplicateText", { number: fiscalId ?? "", printer })}
        action={t("receipt.duplicateAction")}
        isFinal
        isBusy={print.isPending}
        late={t(print.late)}
        failure={failure && t(failure)}
        isDone={!isLast}
        onConfirm={() => print.mutate({ type: "print_duplicate", payload: { receiptId: id } })}
        onClose={() => {
          print.giveUp();
          setAsked(false);
        }}
      >
        {!isLast && <Notice mood="warn" text={t("receipt.duplicateLast", { printer })} />}
      </Confirm>
    </>
  );
}
