/** How far one has come, what was left out on the way, and the way back to it. */

import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import { Icon } from "../../parts/icon.tsx";
import { useWords } from "../../words/words.tsx";
import { useStepStates } from "./done.ts";
import styles from "./setup.module.css";
import { STEPS, type StepName } from "./steps.ts";

interface RailProps {
  readonly at: StepName;
  readonly isRegistered: boolean;
}

export function Rail({ at, isRegistered }: RailProps) {
  const { t } = useWords();
  const stateOf = useStepStates(at, isRegistered);
  const here = STEPS.indexOf(at);
  const first = STEPS.indexOf("printer");
  const skipped = STEPS.filter((step) => stateOf(step) === "skipped");
  /** Back to what was said, and on within what there is already. */
  const isOpen = (place: number) => (isRegistered ? place >= first : place < here);
  return (
    <nav aria-label={t("setup.steps")} className={styles.railField}>
      <ol className={styles.rail}>
        {STEPS.map((step, place) => {
          const state = stateOf(step);
          const parts = (
            <>
              <i>
                {state === "done" && <Icon name="check" size={16} />}
                {state === "skipped" && <Icon name="minus" size={16} />}
                {state === "open" && <span>{place + 1}</span>}
              </i>
              <span className={styles.word}>{t(`setup.${step}.short`)}</span>
            </>
          );
          return (
            <li
              key={step}
              className={styles.step}
              data-state={state}
              {...(step === at ? { "aria-current": "step" } : {})}
            >
              {isOpen(place) && step !== at ? (
                <Link href={`/setup/${step}`} className={styles.stepLink}>
                  {parts}
                </Link>
              ) : (
                <span className={styles.stepLink}>{parts}</span>
              )}
            </li>
          );
        })}
      </ol>
      {skipped.length > 0 && (
        <p className={styles.skipped}>
          <span className="aside">{t("setup.skipped")}</span>
          {skipped.map((step) => (
            <Anchor key={step} className="tap" component={Link} href={`/setup/${step}`}>
              {t(`setup.${step}.short`)}
            </Anchor>
          ))}
        </p>
      )}
    </nav>
  );
}
