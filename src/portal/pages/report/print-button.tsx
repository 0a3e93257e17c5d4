/** Puts the page on office paper. */

import { Button } from "@mantine/core";
import { useWords } from "../../words/words.tsx";

export function PrintButton() {
  const { t } = useWords();
  return (
    <Button className="no-print" variant="default" onClick={() => window.print()}>
      {t("report.print")}
    </Button>
  );
}
