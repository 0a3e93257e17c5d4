/** Repeats the last receipt, marked as a duplicate. */

import { Button } from "@mantine/core";
import { useState } from "react";
import { Confirm } from "../../../parts/confirm.tsx";
import { useOrder } from "../../../parts/order.ts";
import { notAskedWord } from "../../../parts/wish-key.ts";
import { useWords } from "../../../words/words.tsx";
import { ActionBox, type ActionProps } from "./action-box.tsx";

export function Duplicate({ printer }: ActionProps) {
  const { t } = useWords();
  const [isAsked, setAsked] = useState(false);
  const order = useOrder(printer, { name: "duplicate", heard: () => setAsked(false) });
  const failure = notAskedWord(order.error);
  return (
    <ActionBox
      title={t("command.print_duplicate")}
      text={t("actions.duplicateText")}
      order={order}
      types={["print_duplicate"]}
      name="duplicate"
      isInDialog={isAsked}
    >
      <Button
        variant="default"
        onClick={() => {
          order.anew();
          setAsked(true);
        }}
      >
        {t("receipt.duplicateAction")}
      </Button>
      <Confirm
        isOpen={isAsked}
        title={t("receipt.duplicateTitle")}
        text={t("actions.duplicateConfirm", { printer: printer.name })}
        action={t("receipt.duplicateAction")}
        isFinal
        isBusy={order.isPending}
        late={t(order.late)}
        failure={failure && t(failure)}
        onConfirm={() => order.mutate({ type: "print_duplicate", payload: {} })}
        onClose={() => {
          order.giveUp();
          setAsked(false);
        }}
      />
    </ActionBox>
  );
}
