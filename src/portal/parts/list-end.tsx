/** Below a list that goes on as its reader goes down. */

import { Button } from "@mantine/core";
import { useWords } from "../words/words.tsx";
import { Notice } from "./notice.tsx";

interface ListEndProps {
  readonly hasMore: boolean;
  /** What came last was asked for in vain. */
  readonly isFailed: boolean;
  readonly again: () => void;
}

export function ListEnd({ hasMore, isFailed, again }: ListEndProps) {
  const { t } = useWords();
  if (isFailed) {
    return (
      <Notice mood="warn" text={t("list.failed")}>
        <Button variant="default" onClick={again}>
          {t("states.retry")}
        </Button>
      </Notice>
    );
  }
  return <p className="aside">{t(hasMore ? "list.loading" : "list.end")}</p>;
}
