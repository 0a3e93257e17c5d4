/** Cash that is no sale: into the drawer, or out of it. */

import { Button, Modal, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import ends from "../../../parts/confirm.module.css";
import { useDialog } from "../../../parts/dialog.ts";
import { Form } from "../../../parts/form.tsx";
import { Late } from "../../../parts/late.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { NumberPad } from "../../../parts/number-pad.tsx";
import { useOrder } from "../../../parts/order.ts";
import { centsTyped } from "../../../parts/typed-amount.ts";
import { notAskedWord } from "../../../parts/wish-key.ts";
import { useFormat, useWords } from "../../../words/words.tsx";
import { ActionBox, type ActionProps } from "./action-box.tsx";
import { useAskedFor } from "./asked-for.ts";

type Way = "cash_in" | "cash_out";
const WAYS: readonly Way[] = ["cash_in", "cash_out"];
/** A line of the narrowest paper. */
const REASON_MAX = 30;

export function Cash({ printer }: ActionProps) {
  const { t } = useWords();
  const [way, setWay] = useState<Way>();
  const order = useOrder(printer, { name: "cash", heard: () => setWay(undefined) });
  const open = (one: Way) => {
    order.anew();
    setWay(one);
  };
  // The search leads here with the amount asked for.
  useAskedFor(WAYS, open);
  return (
    <ActionBox
      title={t("actions.cash")}
      text={t("actions.cashText")}
      order={order}
      types={WAYS}
      isInDialog={way !== undefined}
    >
      {WAYS.map((one) => (
        <Button key={one} variant="default" onClick={() => open(one)}>
          {t(`command.${one}`)}
        </Button>
      ))}
      {way !== undefined && <Amount way={way} order={order} close={() => setWay(undefined)} />}
    </ActionBox>
  );
}

interface AmountProps {
  readonly way: Way;
  readonly order: ReturnType<typeof useOrder>;
  readonly close: () => void;
}

function Amount({ way, order, close: closed }: AmountProps) {
  const { t } = useWords();
  const format = useFormat();
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const cents = centsTyped(typed) ?? 0;
  const amount = cents / 100;
  // What became of the other way says nothing about this one.
  const failure = order.variables?.type === way ? notAskedWord(order.error) : undefined;
  const description = reason.trim();
  const close = () => {
    order.giveUp();
    closed();
  };
  useDialog(true, close);
  const ask = () =>
    order.mutate({
      type: way,
      payload: { amount, ...(description === "" ? {} : { description }) },
    });
  return (
    <Modal
      opened
      onClose={close}
      title={t(`command.${way}`)}
      closeButtonProps={{ "aria-label": t("confirm.cancel") }}
    >
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          if (cents > 0 && !order.isPending) ask();
        }}
      >
        <Stack>
          <NumberPad typed={typed} onChange={setTyped} label={t("actions.amount")} />
          <TextInput
            label={t("actions.reason")}
            value={reason}
            maxLength={REASON_MAX}
            onChange={({ currentTarget: { value } }) => setReason(value)}
          />
          <div className={`${ends.ends} ${ends.growing}`}>
            <Button variant="default" onClick={close}>
              {t("confirm.cancel")}
            </Button>
            <Button type="submit" disabled={cents === 0} loading={order.isPending}>
              {t(way === "cash_in" ? "actions.putIn" : "actions.takeOut", {
                amount: format.money(amount),
              })}
            </Button>
          </div>
          <Late isBusy={order.isPending} text={t(order.late)} />
          {failure !== undefined && <Notice mood="bad" text={t(failure)} />}
        </Stack>
      </Form>
    </Modal>
  );
}
