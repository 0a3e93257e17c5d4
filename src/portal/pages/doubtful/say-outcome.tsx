/** What the answer means, before it is given. */

import { TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answer } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { Notice } from "../../parts/notice.tsx";
import { useWords } from "../../words/words.tsx";

/** What a person may say. */
export type Outcome = "printed" | "not_printed";

interface SayOutcomeProps {
  readonly commandId: string;
  readonly outcome: Outcome;
  readonly close: () => void;
}

export function SayOutcome({ commandId, outcome, close }: SayOutcomeProps) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [number, setNumber] = useState("");
  const isPrinted = outcome === "printed";
  const say = useMutation({
    mutationFn: () =>
      answer(
        api.POST("/api/v1/commands/{commandId}/resolve", {
          params: { path: { commandId } },
          body: { outcome, ...(isPrinted && number !== "" ? { fiscalId: number } : {}) },
        }),
      ),
    onSuccess: close,
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <Confirm
      isOpen
      isDanger={!isPrinted}
      title={t(isPrinted ? "doubtful.yesTitle" : "doubtful.noTitle")}
      text={t(isPrinted ? "doubtful.yesText" : "doubtful.noText")}
      action={t(isPrinted ? "doubtful.yes" : "doubtful.no")}
      isBusy={say.isPending}
      onConfirm={() => say.mutate()}
      onClose={close}
    >
      {isPrinted && (
        <TextInput
          label={t("doubtful.number")}
          maxLength={64}
          value={number}
          onChange={({ currentTarget: { value } }) => setNumber(value)}
        />
      )}
      {say.isError && <Notice mood="bad" text={t("doubtful.failed")} />}
    </Confirm>
  );
}
