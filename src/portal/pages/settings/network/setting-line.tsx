/** What only a person at the box can set: the lines, and where they go. */

import { CopyText } from "../../../parts/copy-text.tsx";
import { useWords } from "../../../words/words.tsx";
import styles from "../cards.module.css";
import own from "./network.module.css";

const RESTART = "sudo systemctl restart fiscald";

interface SettingLineProps {
  /** `http` of `http.redirect`. */
  readonly area: string;
  /** As TOML has it. */
  readonly line: string;
  /** Where it is what has to be done. */
  readonly isOpen?: boolean;
}

export function SettingLine({ area, line, isOpen = false }: SettingLineProps) {
  const { t } = useWords();
  return (
    <details className={own.setting} open={isOpen}>
      <summary className={styles.summary}>{t("network.change")}</summary>
      <p className="aside">{t("network.changeText")}</p>
      <CopyText isBlock text={`[${area}]\n${line}`} />
      <p className="aside">{t("network.changeRestart")}</p>
      <CopyText text={RESTART} />
    </details>
  );
}
