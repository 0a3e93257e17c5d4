/** Z: closes the fiscal day, after a look at what is in it. */

import { Button } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { boxNow } from "../../../api/box-clock.ts";
import { Confirm } from "../../../parts/confirm.tsx";
import { useOrder } from "../../../parts/order.ts";
import { notAskedWord } from "../../../parts/wish-key.ts";
import { useWords } from "../../../words/words.tsx";
import { ActionBox, type ActionProps } from "./action-box.tsx";
import { DayLink } from "./day-link.tsx";
import { DaySoFar } from "./day-so-far.tsx";

export function Closing({ printer }: ActionProps) {
  const { t } = useWords();
  const order = useOrder(printer, "z");
  const failure = notAskedWord(order.error);
  // A reminder leads here with the question open.
  const [parameters] = useSearchParams();
  const [openedAt, setOpenedAt] = useState(() => (parameters.has("z") ? boxNow() : undefined));
  return (
    <ActionBox
      title={t("command.z_report")}
      text={t("actions.zText")}
      order={order}
      isInDialog={openedAt !== undefined}
    >
      <Button
        onClick={() => {
          order.reset();
          setOpenedAt(boxNow());
        }}
      >
        {t("actions.z")}
      </Button>
      <DayLink deviceId={printer.id} />
      <Confirm
        isOpen={openedAt !== undefined}
        isFinal
        title={t("actions.zTitle")}
        text={t("actions.zConfirm", { printer: printer.name })}
        action={t("actions.zAction")}
        isBusy={order.isPending}
        late={t(order.late)}
        failure={failure && t(failure)}
        onConfirm={() =>
          order.mutate(
            { type: "z_report", payload: {} },
            { onSuccess: () => setOpenedAt(undefined) },
          )
        }
        onClose={() => {
          order.giveUp();
          setOpenedAt(undefined);
        }}
      >
        {openedAt !== undefined && <DaySoFar deviceId={printer.id} now={openedAt} />}
      </Confirm>
    </ActionBox>
  );
}
