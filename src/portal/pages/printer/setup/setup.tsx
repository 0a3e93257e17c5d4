/** What a printer has stored and prints: each part is read when it is opened, and saved by itself. */

import { Link, useSearchParams } from "wouter";
import { useWords, type Word } from "../../../words/words.tsx";
import type { TabProps } from "../tab.ts";
import { HeaderFooter } from "./header-footer.tsx";
import { Logo } from "./logo.tsx";
import { Operators } from "./operators.tsx";
import styles from "./setup.module.css";
import { Vat } from "./vat.tsx";

const PARTS = [
  { name: "lines", word: "setting.lines", show: HeaderFooter },
  { name: "logo", word: "setting.logo", show: Logo },
  { name: "operators", word: "setting.operators", show: Operators },
  { name: "vat", word: "setting.vat", show: Vat },
] as const satisfies readonly { name: string; word: Word; show: unknown }[];

export default function Setup({ printer }: TabProps) {
  const { t } = useWords();
  const [params] = useSearchParams();
  const asked = params.get("part");
  const { name: at, show: Shown } = PARTS.find(({ name }) => name === asked) ?? PARTS[0];
  return (
    <>
      <nav aria-label={t("printer.setup")}>
        <ul className={styles.parts}>
          {PARTS.map(({ name, word }) => (
            <li key={name}>
              <Link
                className={styles.partLink}
                href={`/printers/${printer.id}/setup?part=${name}`}
                replace
                {...(name === at ? { "aria-current": "true" as const } : {})}
              >
                {t(word)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Shown printer={printer} />
    </>
  );
}
