/** The plan of the licence that was bought. */

import { Radio, Stack } from "@mantine/core";
import { useWords } from "../words/words.tsx";

const PLANS = ["free", "pro", "enterprise"] as const;

/** Name of a plan. */
export type Plan = (typeof PLANS)[number];

interface PlanChoiceProps {
  readonly value: Plan;
  readonly onChange: (plan: Plan) => void;
}

export function PlanChoice({ value, onChange }: PlanChoiceProps) {
  const { t } = useWords();
  return (
    <Radio.Group
      label={t("setup.shop.plan")}
      description={t("setup.shop.planText")}
      value={value}
      onChange={(chosen) => onChange(PLANS.find((one) => one === chosen) ?? value)}
    >
      <Stack gap="sm" pt="sm">
        {PLANS.map((one) => (
          <Radio
            key={one}
            value={one}
            label={t(`setup.plan.${one}`)}
            description={t(`setup.plan.${one}Text`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
