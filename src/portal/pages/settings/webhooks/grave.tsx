/** What cannot be taken back: switching off, another secret, removing. Each asks, and says what is lost. */

import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { queries } from "../../../api/queries.ts";
import { Confirm } from "../../../parts/confirm.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { reasonFor } from "../../../parts/reason-for.ts";
import { useWords } from "../../../words/words.tsx";
import { NewSecret } from "./secret.tsx";
import type { Webhook } from "./webhook.ts";
import styles from "./webhooks.module.css";

interface GraveProps {
  readonly webhook: Webhook;
}

export function SwitchOff({ webhook: { id: webhookId } }: GraveProps) {
  const { t } = useWords();
  return (
    <Asking
      button={t("webhooks.switchOff")}
      title={t("webhooks.switchOffAsk")}
      text={t("webhooks.switchOffText")}
      act={() =>
        answer(
          api.PATCH("/api/v1/org/webhooks/{webhookId}", {
            params: { path: { webhookId } },
            body: { enabled: false },
          }),
        )
      }
    />
  );
}

export function RotateSecret({ webhook: { id: webhookId } }: GraveProps) {
  const { t } = useWords();
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <Asking
        button={t("webhooks.rotate")}
        title={t("webhooks.rotateAsk")}
        text={t("webhooks.rotateText")}
        act={async () => {
          const params = { path: { webhookId } };
          const path = "/api/v1/org/webhooks/{webhookId}/rotate-secret";
          setSecret((await answer(api.POST(path, { params }))).secret);
        }}
      />
      {secret !== undefined && (
        <div className={styles.told}>
          <NewSecret key={secret} secret={secret} />
        </div>
      )}
    </>
  );
}

export function RemoveWebhook({ webhook, name }: GraveProps & { readonly name: string }) {
  const { t } = useWords();
  const [, go] = useLocation();
  return (
    <Asking
      button={t("webhooks.remove")}
      title={t("webhooks.removeAsk", { name })}
      text={t("webhooks.removeText")}
      act={async () => {
        const params = { path: { webhookId: webhook.id } };
        await answer(api.DELETE("/api/v1/org/webhooks/{webhookId}", { params }));
        go("/settings/webhooks");
      }}
    />
  );
}

interface AskingProps {
  readonly button: string;
  readonly title: string;
  readonly text: string;
  readonly act: () => Promise<unknown>;
}

function Asking({ button, title, text, act }: AskingProps) {
  const { t } = useWords();
  const [isAsking, setAsking] = useState(false);
  const doing = useMutation({
    mutationFn: act,
    onSuccess: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey: [path] }) => String(path).startsWith("/api/v1/org/webhooks"),
      }),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {button}
      </Button>
      {doing.isError && (
        <div className={styles.told}>
          <Notice mood="bad" text={t(reasonFor(doing.error))} />
        </div>
      )}
      <Confirm
        isOpen={isAsking}
        title={title}
        text={text}
        action={button}
        isDanger
        isBusy={doing.isPending}
        onConfirm={() => doing.mutate()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
