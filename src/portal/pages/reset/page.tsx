/** The way in for who was sent a link: a password is chosen, and one is in. */

import { Anchor } from "@mantine/core";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { AlonePage } from "../../parts/alone-page.tsx";
import { ResetForm } from "../../parts/reset-form.tsx";
import { resetFacts } from "../../parts/reset-link.ts";
import { useWords } from "../../words/words.tsx";

export default function ResetPage() {
  const { t } = useWords();
  const [facts] = useState(() => resetFacts(location.hash));
  // Nobody who looks at the address or the browser's history finds the code there.
  useEffect(() => history.replaceState(history.state, "", location.pathname), []);
  return (
    <AlonePage title={t("reset.title")}>
      <p className="quiet">{t(facts.code === "" ? "reset.typed" : "reset.text")}</p>
      <ResetForm {...facts} />
      <Anchor className="tap" component={Link} href="/login">
        {t("reset.toLogin")}
      </Anchor>
    </AlonePage>
  );
}
