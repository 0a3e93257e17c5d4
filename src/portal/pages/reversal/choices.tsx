/** Why, and in which way the money goes back. */

import { NativeSelect, Radio, Stack } from "@mantine/core";
import type { components } from "../../../client/index.ts";
import { useFormat, useWords } from "../../words/words.tsx";
import { REASONS, type Reason } from "./body.ts";
import { isLimited, type PaysBack, splitOf, type WayBack, waysLacking } from "./paid-back.ts";
import styles from "./reversal.module.css";

type Receipt = components["schemas"]["Receipt"];

interface ReasonProps {
  readonly reason: Reason | undefined;
  readonly choose: (reason: Reason | undefined) => void;
}

export function ReasonChoice({ reason, choose }: ReasonProps) {
  const { t } = useWords();
  return (
    <Radio.Group
      label={t("reversal.reason")}
      value={reason ?? ""}
      onChange={(value) => choose(REASONS.find((one) => one === value))}
    >
      <Stack gap="xs" mt="xs">
        {REASONS.map((one) => (
          <Radio
            key={one}
            value={one}
            size="md"
            className={styles.reason}
            classNames={{ description: "quiet" }}
            label={t(`reversal.reason.${one}`)}
            description={t(`reversal.reason.${one}.about`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

interface PaidBackProps {
  readonly sale: Receipt;
  readonly known: PaysBack;
  readonly cents: number;
  readonly ways: readonly WayBack[];
  readonly way: WayBack;
  readonly choose: (way: WayBack) => void;
}

export function PaidBack({ sale, known, cents, ways, way, choose }: PaidBackProps) {
  const { t } = useWords();
  const format = useFormat();
  const money = (part: number) => format.money(part / 100, sale.currency);
  const labelOf = (one: WayBack) => {
    if (one === "as-paid") return t("reversal.asPaid");
    const [first, rest] = splitOf(one, cents, known.paid);
    if (first === undefined || rest === undefined) return t(`payment.${one}`);
    const tender = t(`payment.${first.method}`);
    return t("reversal.inParts", { tender, part: money(first.cents), rest: money(rest.cents) });
  };
  const lacking = waysLacking(sale, known).map((one) => t(`payment.${one}`));
  const isToSay = !ways.includes("as-paid") && isLimited(sale, cents, known);
  return (
    <>
      <NativeSelect
        label={t("reversal.paidBack")}
        maw={420}
        value={way}
        disabled={ways.length < 2}
        onChange={({ currentTarget: { value } }) => choose(value as WayBack)}
        data={ways.map((value) => ({ value, label: labelOf(value) }))}
      />
      {lacking.length > 0 && (
        <p className="aside">{t("reversal.notSo", { tenders: lacking.join(", ") })}</p>
      )}
      {isToSay && <p className="aside">{t("reversal.noMoreSo")}</p>}
    </>
  );
}
