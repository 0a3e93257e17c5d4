/** What a tab of a printer's page is. */

import type { ComponentType } from "react";
import type { components } from "../../../client/index.ts";
import type { Word } from "../../words/words.tsx";

/** A printer as the API has it. */
export type Printer = components["schemas"]["Device"];

/** What a tab is given. */
export interface TabProps {
  readonly printer: Printer;
  readonly alerts: readonly components["schemas"]["Alert"][];
}

export interface Tab {
  /** Behind the printer's address; the first tab has none. */
  readonly path: string;
  readonly word: Word;
  readonly show: ComponentType<TabProps>;
  /** Who sees it: this role and those above; everybody unless given. */
  readonly may?: "admin";
  /** Printers that have it; all unless given. */
  readonly isOf?: (printer: Printer) => boolean;
}
