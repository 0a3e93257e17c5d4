/** Why an answer was not accepted, and what to do. */

import type { GatewayError } from "../../../client/index.ts";
import { CopyText } from "../../parts/copy-text.tsx";
import { Notice } from "../../parts/notice.tsx";
import { useWords, type Word } from "../../words/words.tsx";

interface RefusalProps {
  readonly error: GatewayError | null;
  /** What is said where something else is known by now. */
  readonly conflict?: Word;
}

export function Refusal({ error, conflict = "doubtful.conflict" }: RefusalProps) {
  const { t } = useWords();
  if (error === null) return null;
  const reached = reachedOf(error);
  if (reached !== undefined)
    return <Notice mood="bad" text={t("doubtful.notReached", { reached })} />;
  const isConflict = error.status === 409;
  return (
    <Notice mood="bad" text={t(isConflict ? conflict : wordOf(error))}>
      {isConflict && <CopyText text={error.message} />}
    </Notice>
  );
}

/** The highest number that the printer has told of, where the one that was said is above it. */
function reachedOf({ details }: GatewayError): string | undefined {
  if (typeof details !== "object" || details === null || !("reached" in details)) return undefined;
  // As it stands on paper, without marks between thousands.
  return String(details.reached);
}

function wordOf({ status, code }: GatewayError): Word {
  if (status === undefined) return "doubtful.noAnswer";
  if (code === "VALIDATION_ERROR") return "doubtful.badNumber";
  return status === 403 ? "states.forbidden.text" : "doubtful.notTaken";
}
