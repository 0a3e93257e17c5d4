/** An action: what it does, its button, and what became of it. */

import { type ReactNode, useEffect, useId, useRef } from "react";
import { useSearchParams } from "wouter";
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
  /** In the address it leads here: `?drawer`. */
  readonly name?: string;
  readonly children: ReactNode;
}

export function ActionBox({ title, text, order, name, isWide = false, children }: ActionBoxProps) {
  const { t } = useWords();
  const id = useId();
  const buttons = useAskedFor(name);
  return (
    <section className={`box ${styles.action}`} aria-labelledby={id} data-wide={isWide}>
      <h2 className={styles.title} id={id}>
        {title}
      </h2>
      <p className="aside">{text}</p>
      <div className={styles.buttons} ref={buttons}>
        {children}
      </div>
      {order.isError && <Notice mood="bad" text={t("commands.notAsked")} />}
      {order.data !== undefined && <CommandProgress commandId={order.data.id} />}
    </section>
  );
}

/** Whoever is led here stands at the first field or button. */
function useAskedFor(name: string | undefined) {
  const buttons = useRef<HTMLDivElement>(null);
  const [parameters] = useSearchParams();
  const isAskedFor = name !== undefined && parameters.has(name);
  useEffect(() => {
    if (isAskedFor) buttons.current?.querySelector<HTMLElement>("textarea, button")?.focus();
  }, [isAskedFor]);
  return buttons;
}
