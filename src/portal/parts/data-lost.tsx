/** That the box has lost what it stores: trying again does not help, and nothing is printed then. */

import { useQuery } from "@tanstack/react-query";
import { useWords } from "../words/words.tsx";
import { CopyText } from "./copy-text.tsx";
import { readOpenHealth } from "./health.ts";
import { Notice } from "./notice.tsx";

/** Nothing unless it has; found out by itself, also on a page that stands open. */
export function DataLost() {
  const { t } = useWords();
  const { data } = useQuery(readOpenHealth);
  const { status, detail } = data?.checks.database ?? {};
  if (status !== "failed") return null;
  return (
    <Notice mood="bad" text={t("states.dataLost")}>
      {detail !== undefined && <CopyText text={detail} />}
    </Notice>
  );
}
