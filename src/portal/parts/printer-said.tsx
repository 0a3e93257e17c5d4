/** Why nobody knows what became of a document, as its printer told it when it was asked. */

import { useWords } from "../words/words.tsx";
import { type Command, doubtOf } from "./command-state.ts";
import { doubtText } from "./doubt-words.ts";

/** Codes of orders that do not suit a printer: nothing was asked of it. */
const OF_THE_BOX = /^E4/;

function isOfTheBox(result: NonNullable<Command["result"]>): boolean {
  return OF_THE_BOX.test(result.errorCode ?? "");
}

interface PrinterSaidProps {
  readonly result: Command["result"];
  /** Goes before what has no words but the box's or the printer's own. */
  readonly intro: string;
}

export function PrinterSaid({ result, intro }: PrinterSaidProps) {
  const { t } = useWords();
  const doubt = doubtOf(result);
  if (doubt !== undefined) {
    return <p className="aside">{doubtText(doubt, t)}</p>;
  }
  if (result?.errorMessage === undefined) return null;
  return (
    <p className="aside">
      {isOfTheBox(result) ? t("commands.boxSaid") : intro} <q lang="en">{result.errorMessage}</q>
    </p>
  );
}
