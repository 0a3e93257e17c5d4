/** An action: what it does, its button, and what became of it. */

import { type ReactNode, useId, useRef } from "react";
import { useReach } from "../../../api/hooks.ts";
import { CommandProgress } from "../../../parts/command-progress.tsx";
import { NotAsked } from "../../../parts/not-asked.tsx";
import type { Ordering, Wish } from "../../../parts/order.ts";
import type { Printer } from "../tab.ts";
import styles from "./actions.module.css";
import { useAskedFor } from "./asked-for.ts";
import { useFollowed } from "./followed.ts";

/** What an action is given. */
export interface ActionProps {
  readonly printer: Printer;
}

interface ActionBoxProps {
  readonly title: string;
  readonly text: string;
  /** The last one that was asked for. */
  readonly order: Ordering;
  /** What it asks for. */
  readonly types: readonly Wish["type"][];
  readonly isWide?: boolean;
  /** True while its own dialog is open. */
  readonly isInDialog?: boolean;
  /** In the address it leads here: `?drawer`. */
  readonly name?: string;
  readonly children: ReactNode;
}

export function ActionBox(props: ActionBoxProps) {
  const { title, text, order, types, name, children } = props;
  const { isWide = false, isInDialog = false } = props;
  const followed = useFollowed(types, order);
  const commandId = order.data?.id ?? followed;
  const isSilent = useReach().kind === "silent";
  const id = useId();
  const buttons = useRef<HTMLFieldSetElement>(null);
  // Whoever is led here stands at the first field or button.
  useAskedFor(name === undefined ? [] : [name], () =>
    buttons.current?.querySelector<HTMLElement>("textarea, button")?.focus(),
  );
  return (
    <section className={`box ${styles.action}`} aria-labelledby={id} data-wide={isWide}>
      <h2 className={styles.title} id={id}>
        {title}
      </h2>
      <p className="aside">{text}</p>
      {/* Not around the way back from what a silent box was asked, by this page or before its reload. */}
      <fieldset
        className={styles.buttons}
        ref={buttons}
        disabled={isSilent || (order.isPending && !isInDialog)}
      >
        {children}
      </fieldset>
      <div className={styles.told}>
        <NotAsked order={order} isInDialog={isInDialog} />
        {commandId !== undefined && <CommandProgress key={commandId} commandId={commandId} />}
      </div>
    </section>
  );
}
