/** An action: what it does, its button, and what became of it. */

import { type ReactNode, useId } from "react";
import { CommandProgress } from "../../../parts/command-progress.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { useWords } from "../../../words/words.tsx";
import styles from "./actions.module.css";
import type { useOrder } from "./order.ts";

interface ActionBoxProps {
  readonly title: string;
  readonly text: string;
  /** The last one that was asked for. */
  readonly order: ReturnType<typeof useOrder>;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function ActionBox({ title, text, order, isWide = false, children }: ActionBoxProps) {
  const { t } = useWords();
  const id = useId();
  return (
    <section className={`box ${styles.action}`} aria-labelledby={id} data-wide={isWide}>
      <h2 className={styles.title} id={id}>
        {title}
      </h2>
      <p className="aside">{text}</p>
      <div className={styles.buttons}>{children}</div>
      {order.isError && <Notice mood="bad" text={t("commands.notAsked")} />}
      {order.data !== undefined && <CommandProgress commandId={order.data.id} />}
    </section>
  );
}
