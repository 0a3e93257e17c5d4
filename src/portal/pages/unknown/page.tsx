/** An address that leads nowhere. */

import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import { Page } from "../../parts/page.tsx";
import { Empty } from "../../parts/page-states.tsx";
import { useWords } from "../../words/words.tsx";

export default function UnknownPage() {
  const { t } = useWords();
  return (
    <Page title={t("unknown.title")}>
      <Empty title={t("unknown.heading")} text={t("unknown.text")}>
        <Anchor className="tap" component={Link} href="/">
          {t("unknown.home")}
        </Anchor>
      </Empty>
    </Page>
  );
}
