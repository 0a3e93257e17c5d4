/** A secret, shown this once, and how a server checks with it what comes. */

import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { CopyText } from "../../../parts/copy-text.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import { VERIFY_LANGUAGES, verifyLines } from "./verify-lines.ts";

export function NewSecret({ secret }: { readonly secret: string }) {
  const { t } = useWords();
  return (
    <Section title={t("webhooks.secret")}>
      <Notice mood="warn" text={t("webhooks.secretOnce")} />
      <CopyText isBlock text={secret} />
      <VerifyLines secret={secret} />
    </Section>
  );
}

/** Lines for the receiver, with the secret in them. */
export function VerifyLines({ secret }: { readonly secret: string }) {
  const { t } = useWords();
  const [language, setLanguage] = useState<string>("TypeScript");
  const chosen = VERIFY_LANGUAGES.find((one) => one === language) ?? "TypeScript";
  return (
    <>
      <p>{t("webhooks.verifyText")}</p>
      <NativeSelect
        label={t("webhooks.language")}
        data={[...VERIFY_LANGUAGES]}
        value={chosen}
        onChange={({ currentTarget: { value } }) => setLanguage(value)}
      />
      <CopyText isBlock text={verifyLines(chosen, secret)} />
    </>
  );
}
