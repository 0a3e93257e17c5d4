/** Takes back what no printer has begun. */

import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answer } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/hooks.ts";
import type { Command } from "../../parts/command-state.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { useWords } from "../../words/words.tsx";

export function CancelButton({ command }: { readonly command: Command }) {
  const { t } = useWords();
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { id: commandId } = command;
  const cancel = useMutation({
    mutationFn: () =>
      answer(api.DELETE("/api/v1/commands/{commandId}", { params: { path: { commandId } } })),
    onSuccess: () => setAsking(false),
    onSettled: () =>
      cache.invalidateQueries({
        predicate: ({ queryKey: [path] }) => String(path).startsWith("/api/v1/commands"),
      }),
  });
  if (!useMay("operator")) return null;
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t("printer.cancelAction")}
      </Button>
      <Confirm
        isOpen={isAsking}
        isDanger
        title={t("printer.cancelTitle")}
        text={t("printer.cancelTextPlain", { what: t(`command.${command.type}`) })}
        action={t("printer.cancelAction")}
        isBusy={cancel.isPending}
        failure={cancel.isError ? t("printer.cancelLate") : undefined}
        onConfirm={() => cancel.mutate()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
