/** Step 6: the key of the first till, with lines ready to copy. It is shown this once. */

import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answer, GatewayError } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { queries, read } from "../../api/queries.ts";
import { Form } from "../../parts/form.tsx";
import { KeySecret } from "../../parts/key-secret.tsx";
import { Notice } from "../../parts/notice.tsx";
import { useWords } from "../../words/words.tsx";
import styles from "./setup.module.css";
import type { StepProps } from "./steps.ts";

/** What a till needs: to print, to see printers, to look its receipts up. */
const SCOPES = ["commands", "devices:read", "receipts:read"] as const;

export function KeyStep({ next }: StepProps) {
  const { t } = useWords();
  const [label, setLabel] = useState(() => t("setup.key.defaultLabel"));
  const make = useMutation({
    mutationFn: () =>
      answer(api.POST("/api/v1/org/api-keys", { body: { label, scopes: [...SCOPES] } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["/api/v1/org/api-keys"] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  const key = make.data?.key;
  const { data: made } = useQuery(read("/api/v1/org/api-keys"));
  const labels = key === undefined ? (made ?? []).map((one) => one.label).join(", ") : "";
  const isDone = key !== undefined || labels !== "";
  return (
    <div className={styles.form}>
      <p>{t("setup.key.text")}</p>
      {labels !== "" && <Notice mood="good" text={t("setup.key.madeBefore", { labels })} />}
      {key === undefined ? (
        <Form className={styles.search} onSubmit={submit}>
          <TextInput
            label={t("setup.key.label")}
            required
            withAsterisk={false}
            maxLength={100}
            value={label}
            onChange={({ currentTarget: { value } }) => setLabel(value)}
          />
          <Button
            type="submit"
            variant={labels === "" ? "filled" : "default"}
            loading={make.isPending}
          >
            {t(labels === "" ? "setup.key.make" : "setup.key.another")}
          </Button>
        </Form>
      ) : (
        <KeySecret apiKey={key} />
      )}
      {make.isError && <KeyFailure error={make.error} retry={() => make.mutate()} />}
      <div className={styles.ends}>
        <Button variant={isDone ? "filled" : "default"} onClick={next}>
          {t(isDone ? "setup.next" : "setup.later")}
        </Button>
      </div>
    </div>
  );
}

/** A plan without keys is raised here: it was picked two steps ago. */
function KeyFailure({ error, retry }: { readonly error: Error; readonly retry: () => void }) {
  const { t } = useWords();
  const raise = useMutation({
    mutationFn: () => answer(api.PUT("/api/v1/billing/plan", { body: { plan: "pro" } })),
    onSuccess: retry,
  });
  const isPlan = error instanceof GatewayError && error.code === "TIER_LIMIT_EXCEEDED";
  if (!isPlan) return <Notice mood="bad" text={t("setup.key.failed")} />;
  return (
    <Notice mood="warn" text={t("setup.key.plan")}>
      <Button variant="default" loading={raise.isPending} onClick={() => raise.mutate()}>
        {t("setup.key.raise")}
      </Button>
    </Notice>
  );
}
