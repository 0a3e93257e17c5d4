/** An address that leads nowhere. */

import { Button } from "@mantine/core";
import { Link } from "wouter";
import { Page } from "../../parts/page.tsx";
import { Empty } from "../../parts/page-states.tsx";
import { useWords } from "../../words/words.tsx";

export default function UnknownPage() {
  const { t } = useWords();
  return (
    <Page title={t("unknown.title")}>
      <Empty title={t("unknown.heading")} text={t("unknown.text")}>
        <Button component={Link} href="/" variant="default">
          {t("unknown.home")}
        </Button>
      </Empty>
    </Page>
  );
}
