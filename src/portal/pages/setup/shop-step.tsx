/** Step 3: the shop, its currency and its plan; then it is made, with its owner. */

import { Anchor, Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Link, Redirect, useLocation } from "wouter";
import { currencyOfZone } from "#core/zone-currency.ts";
import { answer, GatewayError } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { register } from "../../api/session.ts";
import { CurrencySelect } from "../../parts/currency-select.tsx";
import { Form } from "../../parts/form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { type Plan, PlanChoice } from "../../parts/plan-choice.tsx";
import { useWords, type Word } from "../../words/words.tsx";
import styles from "./setup.module.css";
import { CODE_WRONG, changeDraft, forgetDraft, readDraft, type StepProps } from "./steps.ts";

export function ShopStep({ needsSetupCode }: StepProps) {
  const { t } = useWords();
  const [draft] = useState(readDraft);
  const [shop, setShop] = useState(draft.shop);
  const [currency, setCurrency] = useState(draft.currency || currencyOfZone(draft.timezone));
  const [plan, setPlan] = useState(draft.plan);
  const [, navigate] = useLocation();
  const make = useMutation({
    mutationFn: () => begin({ shop, currency, plan }),
    onError(error) {
      const isCode = needsSetupCode && error instanceof GatewayError && error.status === 403;
      // Where it can be mended, and nowhere else.
      if (isCode) navigate("/setup/owner", { state: { [CODE_WRONG]: true } });
    },
  });
  const refusal = useShown(make.error);
  // The password is kept nowhere: who has closed the page says it again.
  const isUnsaid = draft.password === "" || (needsSetupCode && draft.setupCode === "");
  if (isUnsaid && make.isIdle) return <Redirect to="/setup/owner" replace />;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Form className={styles.form} onSubmit={submit}>
      <p>{t("setup.shop.text")}</p>
      <TextInput
        label={t("setup.shop.name")}
        autoComplete="organization"
        required
        withAsterisk={false}
        maxLength={255}
        value={shop}
        onChange={({ currentTarget: { value } }) => {
          setShop(value);
          changeDraft({ shop: value });
        }}
      />
      <CurrencySelect
        value={currency}
        onChange={(chosen) => {
          setCurrency(chosen);
          changeDraft({ currency: chosen });
        }}
      />
      <PlanChoice
        value={plan}
        onChange={(chosen) => {
          setPlan(chosen);
          changeDraft({ plan: chosen });
        }}
      />
      <div className={styles.ends}>
        <Button type="submit" loading={make.isPending}>
          {t("setup.shop.make")}
        </Button>
      </div>
      {make.isError && (
        <div ref={refusal}>
          <Notice mood="bad" text={t(reasonOf(make.error))}>
            <Anchor className="tap" component={Link} href="/setup/owner">
              {t("setup.shop.toOwner")}
            </Anchor>
          </Notice>
        </div>
      )}
    </Form>
  );
}

/** Brings what went wrong into sight, below a form that is higher than the window. */
function useShown(error: Error | null) {
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== null) shown.current?.scrollIntoView({ block: "nearest" });
  }, [error]);
  return shown;
}

interface NewShop {
  readonly shop: string;
  readonly currency: string;
  readonly plan: Plan;
}

/** The page goes on to the printer by itself: there is an owner then. */
async function begin({ shop, currency, plan }: NewShop): Promise<void> {
  const { setupCode, timezone, name, email, password } = readDraft();
  await register({
    ...{ name, email, password, timezone, currency, organizationName: shop },
    ...(setupCode === "" ? {} : { setupCode }),
  });
  forgetDraft();
  await queries.invalidateQueries({ queryKey: ["/api/v1/auth/registration"] });
  if (plan !== "free") await answer(api.PUT("/api/v1/billing/plan", { body: { plan } }));
}

function reasonOf(error: Error): Word {
  if (!(error instanceof GatewayError)) return "setup.shop.failed";
  if (error.status === undefined) return "states.unreachable.title";
  if (error.status === 403) return "setup.shop.wrongCode";
  return error.status === 400 ? "setup.shop.wrongData" : "setup.shop.failed";
}
