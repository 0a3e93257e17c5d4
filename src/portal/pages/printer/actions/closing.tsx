/** Z: closes the fiscal day, after a look at what is in it. */

import { Button } from "@mantine/core";
import { useState } from "react";
import { boxNow } from "../../../api/box-clock.ts";
import { Confirm } from "../../../parts/confirm.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { useOrder } from "../../../parts/order.ts";
import { notAskedWord } from "../../../parts/wish-key.ts";
import { useInHand } from "../../../parts/working.ts";
import { useWords } from "../../../words/words.tsx";
import { ActionBox, type ActionProps } from "./action-box.tsx";
import { useAskedFor } from "./asked-for.ts";
import { DayLink } from "./day-link.tsx";
import { DaySoFar } from "./day-so-far.tsx";

export function Closing({ printer }: ActionProps) {
  const { t } = useWords();
  const [openedAt, setOpenedAt] = useState<number>();
  const order = useOrder(printer, { name: "z", heard: () => setOpenedAt(undefined) });
  const failure = notAskedWord(order.error);
  // Asked elsewhere: what is pressed here would close an empty day behind it.
  const isUnderWay = useInHand(printer.id).some(
    (command) => command.type === "z_report" && !order.isOwn(command),
  );
  const open = () => {
    order.anew();
    setOpenedAt(boxNow());
  };
  // A reminder leads here with the question open.
  useAskedFor(["z"], open);
  return (
    <ActionBox
      title={t("command.z_report")}
      text={t("actions.zText")}
      order={order}
      types={["z_report"]}
      isInDialog={openedAt !== undefined}
    >
      <Button onClick={open}>{t("actions.z")}</Button>
      <DayLink printer={printer} />
      <Confirm
        isOpen={openedAt !== undefined}
        isFinal
        title={t("actions.zTitle")}
        text={t("actions.zConfirm", { printer: printer.name })}
        action={t("actions.zAction")}
        isBusy={order.isPending}
        isDone={isUnderWay}
        late={t(order.late)}
        failure={failure && t(failure)}
        onConfirm={() => order.mutate({ type: "z_report", payload: {} })}
        onClose={() => {
          order.giveUp();
          setOpenedAt(undefined);
        }}
      >
        {isUnderWay && <Notice mood="work" text={t("actions.zUnderWay")} />}
        {openedAt !== undefined && <DaySoFar deviceId={printer.id} now={openedAt} />}
      </Confirm>
    </ActionBox>
  );
}
