/** How far one has come. */

import { Link } from "wouter";
import { Icon } from "../../parts/icon.tsx";
import { useWords } from "../../words/words.tsx";
import styles from "./setup.module.css";
import { STEPS, type StepName } from "./steps.ts";

interface RailProps {
  readonly at: StepName;
  readonly isRegistered: boolean;
}

export function Rail({ at, isRegistered }: RailProps) {
  const { t } = useWords();
  const here = STEPS.indexOf(at);
  const first = STEPS.indexOf("printer");
  /** Back to what was said, and on within what there is already. */
  const isOpen = (place: number) => (isRegistered ? place >= first : place < here);
  return (
    <nav aria-label={t("setup.steps")} className={styles.railField}>
      <ol className={styles.rail}>
        {STEPS.map((step, place) => {
          const isDone = place < here;
          const mark = isDone ? <Icon name="check" size={16} /> : <span>{place + 1}</span>;
          const word = <span className={styles.word}>{t(`setup.${step}.short`)}</span>;
          return (
            <li
              key={step}
              className={styles.step}
              data-done={isDone}
              {...(step === at ? { "aria-current": "step" } : {})}
            >
              {isOpen(place) && step !== at ? (
                <Link href={`/setup/${step}`} className={styles.stepLink}>
                  <i>{mark}</i>
                  {word}
                </Link>
              ) : (
                <span className={styles.stepLink}>
                  <i>{mark}</i>
                  {word}
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
