/** Stopping a till: for a time, with a new text, or for good. */

import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { answer } from "../../../../client/index.ts";
import { boxNow } from "../../../api/box-clock.ts";
import { api } from "../../../api/client.ts";
import { Confirm } from "../../../parts/confirm.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { reasonFor } from "../../../parts/reason-for.ts";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import { type Key, keyState } from "./key.ts";
import styles from "./keys.module.css";

const LIST = "/api/v1/org/api-keys";
const ONE = "/api/v1/org/api-keys/{keyId}";
const REASONS = { CONFLICT: "keys.conflict" } as const;
/** What is asked once more. */
type Deed = "pause" | "rotate" | "revoke";

interface KeyEndingProps {
  readonly apiKey: Key;
  readonly home: string;
  readonly onIssued: (key: string) => void;
}

export function KeyEnding({ apiKey, home, onIssued }: KeyEndingProps) {
  const { t } = useWords();
  const [asked, setAsked] = useState<Deed>();
  const deeds = useDeeds(apiKey, home);
  const state = keyState(apiKey, boxNow());
  const { label } = apiKey;
  const close = () => {
    for (const deed of Object.values(deeds)) deed.reset();
    setAsked(undefined);
  };
  const confirm: Readonly<Record<Deed, () => void>> = {
    pause: () => deeds.setActive.mutate(false, { onSuccess: close }),
    rotate: () =>
      deeds.rotate.mutate(undefined, {
        onSuccess: ({ key }) => {
          onIssued(key);
          close();
          window.scrollTo(0, 0);
        },
      }),
    revoke: () => deeds.revoke.mutate(),
  };
  const error = deeds.setActive.error ?? deeds.rotate.error ?? deeds.revoke.error;
  return (
    <Section isDanger title={t("keys.end")} text={t("keys.endText")}>
      <div className={styles.buttons}>
        {state === "active" && (
          <>
            <Button variant="default" onClick={() => setAsked("pause")}>
              {t("keys.pause")}
            </Button>
            <Button variant="default" onClick={() => setAsked("rotate")}>
              {t("keys.rotate")}
            </Button>
          </>
        )}
        {state === "paused" && (
          <Button
            variant="default"
            loading={deeds.setActive.isPending}
            onClick={() => deeds.setActive.mutate(true)}
          >
            {t("keys.resume")}
          </Button>
        )}
        <Button variant="default" onClick={() => setAsked("revoke")}>
          {t("keys.revoke")}
        </Button>
      </div>
      {asked === undefined && error && <Notice mood="bad" text={t(reasonFor(error, REASONS))} />}
      {asked !== undefined && (
        <Confirm
          isOpen
          isDanger
          title={t(`keys.${asked}Title`, { label })}
          text={t(`keys.${asked}Text`, { label })}
          action={t(`keys.${asked}`)}
          isBusy={Object.values(deeds).some(({ isPending }) => isPending)}
          failure={error ? t(reasonFor(error, REASONS)) : undefined}
          onConfirm={confirm[asked]}
          onClose={close}
        />
      )}
    </Section>
  );
}

function useDeeds({ id: keyId }: Key, home: string) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const params = { path: { keyId } };
  const again = () => queries.invalidateQueries({ queryKey: [LIST] });
  return {
    setActive: useMutation({
      mutationFn: (active: boolean) => answer(api.PATCH(ONE, { params, body: { active } })),
      onSuccess: again,
    }),
    rotate: useMutation({
      mutationFn: () => answer(api.POST(`${ONE}/rotate`, { params })),
      onSuccess: again,
    }),
    revoke: useMutation({
      mutationFn: () => answer(api.DELETE(ONE, { params })),
      onSuccess: () => {
        navigate(home, { replace: true });
        // Its name is read there from now on.
        void queries.invalidateQueries({ queryKey: [`${LIST}/revoked`] });
        return again();
      },
    }),
  };
}
