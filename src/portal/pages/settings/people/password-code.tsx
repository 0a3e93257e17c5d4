/** A new link for who has forgotten the password, or has lost the first link. */

import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { Notice } from "../../../parts/notice.tsx";
import { reasonFor } from "../../../parts/reason-for.ts";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import { PasswordLink } from "./password-link.tsx";
import type { Person } from "./person.ts";

export function PasswordCode({ person }: { readonly person: Person }) {
  const { t } = useWords();
  const { id: userId, name, email } = person;
  const make = useMutation({
    mutationFn: () =>
      answer(api.POST("/api/v1/org/members/{userId}/code", { params: { path: { userId } } })),
  });
  return (
    <Section title={t("account.password")} text={t("people.codeNew")}>
      {make.data === undefined ? (
        <div>
          <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
            {t("people.makeLink")}
          </Button>
        </div>
      ) : (
        <PasswordLink
          name={name}
          email={email}
          code={make.data.setupToken}
          expiresAt={make.data.expiresAt}
        />
      )}
      {make.error && <Notice mood="bad" text={t(reasonFor(make.error))} />}
    </Section>
  );
}
