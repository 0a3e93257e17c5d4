/** Opens the drawer. */

import { Button } from "@mantine/core";
import { useWords } from "../../../words/words.tsx";
import { ActionBox } from "./action-box.tsx";
import { type ActionProps, useOrder } from "./order.ts";

export function Drawer({ printer }: ActionProps) {
  const { t } = useWords();
  const order = useOrder(printer);
  return (
    <ActionBox
      title={t("actions.drawer")}
      text={t("actions.drawerText")}
      order={order}
      name="drawer"
    >
      <Button
        variant="default"
        loading={order.isPending}
        onClick={() => order.mutate({ type: "open_drawer", payload: {} })}
      >
        {t("actions.openDrawer")}
      </Button>
    </ActionBox>
  );
}
