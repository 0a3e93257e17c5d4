/** The life of a printer: its name and place, its address, who serves it, its end. */

import { useEffect, useRef, useState } from "react";
import { Notice } from "../../../parts/notice.tsx";
import { useWords } from "../../../words/words.tsx";
import type { TabProps } from "../tab.ts";
import { Connection } from "./connection.tsx";
import { NamePlace } from "./name-place.tsx";
import { OtherPrinter } from "./other-printer.tsx";
import { Remove } from "./remove.tsx";
import { Restored } from "./restored.tsx";
import { ServedBy } from "./served-by.tsx";

/** What is said once a card is done with and gone. */
interface Done {
  readonly word: "restored.goesOn" | "otherPrinter.goesOn" | "otherPrinter.exchanged";
  /** The printer that it was exchanged with. */
  readonly other?: string;
}

export default function Manage({ printer, alerts }: TabProps) {
  const { t } = useWords();
  const alertOf = (wanted: (typeof alerts)[number]["type"]) =>
    alerts.find(({ type }) => type === wanted);
  const [accepted, setAccepted] = useState<Done>();
  const done = useRef<HTMLDivElement>(null);
  const unknown = alertOf("documents_unknown");
  const [isRestored, isUnknown] = [alertOf("state_restored") !== undefined, unknown !== undefined];
  const isOther = alertOf("other_printer") !== undefined;
  const isDone = accepted !== undefined && !isRestored && !isUnknown && !isOther;
  useEffect(() => {
    // Its card is gone, and what stood far below it would come under the eyes.
    if (isDone) done.current?.focus();
  }, [isDone]);
  return (
    <>
      {isOther && <OtherPrinter printer={printer} accepted={setAccepted} />}
      {(isRestored || isUnknown) && (
        <Restored
          printer={printer}
          told={isUnknown ? "unknownReceipts" : "restored"}
          isHeld={isRestored}
          since={unknown?.since}
          accepted={() => setAccepted({ word: "restored.goesOn" })}
        />
      )}
      {isDone && (
        <div ref={done} tabIndex={-1}>
          <Notice
            mood="good"
            text={t(accepted.word, { printer: printer.name, other: accepted.other ?? "" })}
          />
        </div>
      )}
      <NamePlace printer={printer} />
      {printer.simulated ? (
        <Notice mood="idle" text={t("manage.simulated")} />
      ) : (
        <>
          <Connection printer={printer} />
          <ServedBy printer={printer} />
        </>
      )}
      <Remove printer={printer} />
    </>
  );
}
