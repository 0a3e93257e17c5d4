/** Why, and in which way the money goes back. */

import { NativeSelect, Radio, Stack } from "@mantine/core";
import { useWords } from "../../words/words.tsx";
import { REASONS, type Reason, type Tender } from "./body.ts";
import styles from "./reversal.module.css";

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
  readonly tenders: readonly Tender[];
  readonly tender: Tender;
  readonly choose: (tender: Tender) => void;
}

export function PaidBack({ tenders, tender, choose }: PaidBackProps) {
  const { t } = useWords();
  return (
    <NativeSelect
      label={t("reversal.paidBack")}
      maw={320}
      value={tender}
      disabled={tenders.length < 2}
      onChange={({ currentTarget: { value } }) => choose(value as Tender)}
      data={tenders.map((value) => ({
        value,
        label: value === "as-paid" ? t("reversal.asPaid") : t(`payment.${value}`),
      }))}
    />
  );
}
