/** The printer's clock beside the box's: receipts carry the printer's time. */

import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { answer, type GatewayError } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { Notice } from "../../../parts/notice.tsx";
import { useOrder } from "../../../parts/order.ts";
import { useFormat, useWords } from "../../../words/words.tsx";
import { ActionBox, type ActionProps } from "./action-box.tsx";
import styles from "./actions.module.css";

/** Printers tell minutes or seconds, and the question takes a moment. */
const SAME_MS = 90_000;

type Clocks = { readonly dateTime: string; readonly timestamp: string };

export function Clock({ printer }: ActionProps) {
  const { t } = useWords();
  const order = useOrder(printer, { name: "clock" });
  const params = { path: { deviceId: printer.id } };
  const clocks = useMutation<Clocks, GatewayError, void>({
    mutationFn: () => answer(api.GET("/api/v1/devices/{deviceId}/datetime", { params })),
    onMutate: () => order.anew(),
  });
  const { data } = clocks;
  const set = () => {
    clocks.reset();
    order.mutate({ type: "set_datetime", payload: {} });
  };
  return (
    <ActionBox
      title={t("actions.clock")}
      text={t("actions.clockText")}
      order={order}
      types={["set_datetime"]}
      name="clock"
    >
      <Button
        variant="default"
        loading={clocks.isPending}
        disabled={printer.effectiveStatus !== "online"}
        onClick={() => clocks.mutate()}
      >
        {t("actions.clockRead")}
      </Button>
      {data !== undefined && (
        <Button
          variant={isSame(data) ? "default" : "filled"}
          loading={order.isPending}
          onClick={set}
        >
          {t("actions.clockSet")}
        </Button>
      )}
      {data !== undefined && <BothTimes clocks={data} />}
      {clocks.isError && <Notice mood="bad" text={t("actions.clockSilent")} />}
    </ActionBox>
  );
}

function BothTimes({ clocks }: { readonly clocks: Clocks }) {
  const { t } = useWords();
  const format = useFormat();
  const { dateTime, timestamp } = clocks;
  const away = Date.parse(dateTime) - Date.parse(timestamp);
  const duration = format.duration(Math.abs(away));
  return (
    <div className={styles.clocks}>
      <dl>
        <div>
          <dt className="aside">{t("actions.clockPrinter")}</dt>
          <dd>{format.dateTimeToSecond(dateTime)}</dd>
        </div>
        <div>
          <dt className="aside">{t("actions.clockBox")}</dt>
          <dd>{format.dateTimeToSecond(timestamp)}</dd>
        </div>
      </dl>
      {isSame(clocks) ? (
        <Notice mood="good" text={t("actions.clockSame")} />
      ) : (
        <Notice
          mood="warn"
          text={t(away > 0 ? "actions.clockFast" : "actions.clockSlow", { duration })}
        />
      )}
    </div>
  );
}

function isSame({ dateTime, timestamp }: Clocks): boolean {
  return Math.abs(Date.parse(dateTime) - Date.parse(timestamp)) < SAME_MS;
}
