/** X: the day so far on paper, and nothing closed. */

import { Button } from "@mantine/core";
import { useOrder } from "../../../parts/order.ts";
import { useWords } from "../../../words/words.tsx";
import { ActionBox, type ActionProps } from "./action-box.tsx";

export function Reading({ printer }: ActionProps) {
  const { t } = useWords();
  const order = useOrder(printer, { name: "x" });
  return (
    <ActionBox
      title={t("command.x_report")}
      text={t("actions.xText")}
      order={order}
      types={["x_report"]}
      name="x"
    >
      <Button
        variant="default"
        loading={order.isPending}
        onClick={() => order.press({ type: "x_report", payload: {} })}
      >
        {t("actions.x")}
      </Button>
    </ActionBox>
  );
}
