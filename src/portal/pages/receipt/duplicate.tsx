/** Prints a copy: a printer can repeat its last receipt, and no other. */

import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { components } from "../../../client/index.ts";
import { submit } from "../../api/client.ts";
import { useMay } from "../../api/hooks.ts";
import { read } from "../../api/queries.ts";
import { CommandProgress } from "../../parts/command-progress.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { newKey } from "../../parts/new-key.ts";
import { useWords } from "../../words/words.tsx";

type Receipt = components["schemas"]["Receipt"];

export function Duplicate({ receipt }: { readonly receipt: Receipt }) {
  const { t } = useWords();
  const may = useMay("operator");
  const { id, deviceId, fiscalId } = receipt;
  const [key, setKey] = useState<string>();
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  const printer = devices.find((device) => device.id === deviceId)?.name;
  const latest = useQuery(
    read("/api/v1/receipts", {
      query: { deviceId, limit: 1, sortBy: "issuedAt", sortOrder: "desc" },
    }),
  );
  const print = useMutation({
    mutationFn: (once: string) =>
      submit({ key: once, deviceId, type: "print_duplicate", payload: {} }),
    onSuccess: () => setKey(undefined),
  });
  if (!may || printer === undefined || receipt.source !== "command") return null;
  const isLast = latest.data?.receipts[0]?.id === id;
  return (
    <>
      <Button variant="default" disabled={!isLast} onClick={() => setKey(newKey())}>
        {t("receipt.duplicate")}
      </Button>
      {latest.data !== undefined && !isLast && (
        <p className="aside">{t("receipt.duplicateLast", { printer })}</p>
      )}
      {print.data !== undefined && <CommandProgress commandId={print.data.id} />}
      <Confirm
        isOpen={key !== undefined}
        title={t("receipt.duplicateTitle")}
        text={t("receipt.duplicateText", { number: fiscalId ?? "", printer })}
        action={t("receipt.duplicateAction")}
        isBusy={print.isPending}
        failure={print.isError ? t("commands.notAsked") : undefined}
        onConfirm={() => key !== undefined && print.mutate(key)}
        onClose={() => setKey(undefined)}
      />
    </>
  );
}
