/** Keeping somebody out, for a time or for good. */

import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { Confirm } from "../../../parts/confirm.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { reasonFor } from "../../../parts/reason-for.ts";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import styles from "./people.module.css";
import type { Person } from "./person.ts";

const ONE = "/api/v1/org/members/{userId}";
const REASONS = { CONFLICT: "people.lastOwner" } as const;

interface EndingProps {
  readonly person: Person;
  readonly home: string;
}

export function Ending({ person, home }: EndingProps) {
  const { t } = useWords();
  const { name, active } = person;
  const [asked, setAsked] = useState<"deactivate" | "remove">();
  const { setActive, remove } = useEnding(person, home);
  const close = () => {
    setActive.reset();
    remove.reset();
    setAsked(undefined);
  };
  const error = setActive.error ?? remove.error;
  return (
    <Section isDanger title={t("people.end")} text={t("people.endText")}>
      <div className={styles.buttons}>
        {active ? (
          <Button variant="default" onClick={() => setAsked("deactivate")}>
            {t("people.deactivate")}
          </Button>
        ) : (
          <Button
            variant="default"
            loading={setActive.isPending}
            onClick={() => setActive.mutate(true)}
          >
            {t("people.activate")}
          </Button>
        )}
        <Button variant="default" onClick={() => setAsked("remove")}>
          {t("people.remove")}
        </Button>
      </div>
      {asked === undefined && error && <Notice mood="bad" text={t(reasonFor(error, REASONS))} />}
      {asked !== undefined && (
        <Confirm
          isOpen
          isDanger
          title={t(`people.${asked}Title`, { name })}
          text={t(`people.${asked}Text`, { name })}
          action={t(`people.${asked}`)}
          isBusy={setActive.isPending || remove.isPending}
          failure={error ? t(reasonFor(error, REASONS)) : undefined}
          onConfirm={() =>
            asked === "remove" ? remove.mutate() : setActive.mutate(false, { onSuccess: close })
          }
          onClose={close}
        />
      )}
    </Section>
  );
}

function useEnding({ id: userId }: Person, home: string) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const params = { path: { userId } };
  const again = () => queries.invalidateQueries({ queryKey: ["/api/v1/org/members"] });
  return {
    setActive: useMutation({
      mutationFn: (active: boolean) => answer(api.PATCH(ONE, { params, body: { active } })),
      onSuccess: again,
    }),
    remove: useMutation({
      mutationFn: () => answer(api.DELETE(ONE, { params })),
      onSuccess: () => {
        navigate(home, { replace: true });
        return again();
      },
    }),
  };
}
