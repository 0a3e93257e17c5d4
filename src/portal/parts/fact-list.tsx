/** What something is, a name and a value each; values can be read aloud. */

import type { ReactNode } from "react";
import styles from "./fact-list.module.css";

/** The name first; a fact without a value is left out. */
export type Fact = readonly [name: string, value: ReactNode];

export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) =>
        value === null || value === undefined || value === "" ? null : (
          <div key={name}>
            <dt className="aside">{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
