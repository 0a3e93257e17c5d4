/** Takes back what no printer has begun. */

import { Button } from "@mantine/core";
import { useState } from "react";
import { useMay } from "../../api/hooks.ts";
import { useCancelling } from "../../parts/cancelling.ts";
import type { Command } from "../../parts/command-state.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { useWords } from "../../words/words.tsx";

export function CancelButton({ command }: { readonly command: Command }) {
  const { t } = useWords();
  const [isAsking, setAsking] = useState(false);
  const cancel = useCancelling(command, () => setAsking(false));
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
        failure={cancel.failure && t(cancel.failure)}
        onConfirm={() => cancel.mutate()}
        onClose={() => {
          cancel.reset();
          setAsking(false);
        }}
      />
    </>
  );
}
