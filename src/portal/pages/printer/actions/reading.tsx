/** X: the day so far on paper, and nothing closed. */

import { Button } from "@mantine/core";
import { useWords } from "../../../words/words.tsx";
import { ActionBox } from "./action-box.tsx";
import { type ActionProps, useOrder } from "./order.ts";

export function Reading({ printer }: ActionProps) {
  const { t } = useWords();
  const order = useOrder(printer);
  return (
    <ActionBox title={t("command.x_report")} text={t("actions.xText")} order={order} name="x">
      <Button
        variant="default"
        loading={order.isPending}
        onClick={() => order.mutate({ type: "x_report", payload: {} })}
      >
        {t("actions.x")}
      </Button>
    </ActionBox>
  );
}
