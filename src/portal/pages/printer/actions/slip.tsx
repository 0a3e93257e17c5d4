/** A text on paper that counts for nothing, seen before it is printed. */

import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { useOrder } from "../../../parts/order.ts";
import { Paper } from "../../../parts/paper.tsx";
import { layOut } from "../../../parts/paper-lines.ts";
import { useWords } from "../../../words/words.tsx";
import { ActionBox, type ActionProps } from "./action-box.tsx";
import styles from "./actions.module.css";

/** What fits beside the marks that printers put around such text. */
const COLUMNS = 40;
const LINES_MAX = 100;

export function Slip({ printer }: ActionProps) {
  const { t } = useWords();
  const order = useOrder(printer, { name: "slip" });
  const [text, setText] = useState("");
  const lines = linesOf(text);
  const isEmpty = lines.every((line) => line === "");
  return (
    <ActionBox
      title={t("command.non_fiscal_receipt")}
      text={t("actions.slipText")}
      order={order}
      types={["non_fiscal_receipt"]}
      name="slip"
      isWide
    >
      <div className={styles.slip}>
        <Textarea
          label={t("actions.slipLines")}
          rows={6}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
        {!isEmpty && (
          <Paper
            label={t("command.non_fiscal_receipt")}
            columns={COLUMNS}
            lines={lines.map((line) => ({ kind: "left", text: line }))}
            note={t("setup.test.note")}
          />
        )}
      </div>
      <Button
        variant="default"
        disabled={isEmpty}
        loading={order.isPending}
        onClick={() => order.press({ type: "non_fiscal_receipt", payload: { lines } })}
      >
        {t("actions.slip")}
      </Button>
    </ActionBox>
  );
}

/** As it comes out: broken where the paper ends. */
function linesOf(text: string): string[] {
  const lines = text.trimEnd().split("\n");
  return layOut(
    lines.map((line) => ({ kind: "left", text: line })),
    COLUMNS,
  )
    .map((line) => line.text)
    .slice(0, LINES_MAX);
}
