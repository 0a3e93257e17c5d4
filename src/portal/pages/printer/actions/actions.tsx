/** What can be asked of a printer by hand. */

import { Notice } from "../../../parts/notice.tsx";
import { useWords } from "../../../words/words.tsx";
import type { TabProps } from "../tab.ts";
import styles from "./actions.module.css";
import { Cash } from "./cash.tsx";
import { Clock } from "./clock.tsx";
import { Closing } from "./closing.tsx";
import { Drawer } from "./drawer.tsx";
import { Duplicate } from "./duplicate.tsx";
import { Reading } from "./reading.tsx";
import { Slip } from "./slip.tsx";

export function Actions({ printer }: TabProps) {
  const { t } = useWords();
  const isReached = printer.effectiveStatus === "online";
  return (
    <>
      {!isReached && (
        <Notice mood="warn" text={t("actions.notReached", { printer: printer.name })} />
      )}
      <div className={styles.actions}>
        <Reading printer={printer} />
        <Closing printer={printer} />
        <Cash printer={printer} />
        <Drawer printer={printer} />
        <Duplicate printer={printer} />
        <Clock printer={printer} />
        <Slip printer={printer} />
      </div>
    </>
  );
}
