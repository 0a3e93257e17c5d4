/** Opens the drawer. */

import { Button } from "@mantine/core";
import { useOrder } from "../../../parts/order.ts";
import { useWords } from "../../../words/words.tsx";
import { ActionBox, type ActionProps } from "./action-box.tsx";

export function Drawer({ printer }: ActionProps) {
  const { t } = useWords();
  const order = useOrder(printer, { name: "drawer" });
  return (
    <ActionBox
      title={t("actions.drawer")}
      text={t("actions.drawerText")}
      order={order}
      types={["open_drawer"]}
      name="drawer"
    >
      <Button
        variant="default"
        loading={order.isPending}
        onClick={() => order.press({ type: "open_drawer", payload: {} })}
      >
        {t("actions.openDrawer")}
      </Button>
    </ActionBox>
  );
}
