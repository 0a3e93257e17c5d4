/** How paper is loaded, step by step with pictures; to be read at the printer, so it can be printed. */

import { Button, Drawer } from "@mantine/core";
import { useWords } from "../../words/words.tsx";
import { useDialog } from "../dialog.ts";
import { type Driver, MAKERS } from "../drivers.ts";
import styles from "./load-paper.module.css";
import { STEPS, StepPicture } from "./step-picture.tsx";

interface PanelProps {
  readonly driver: Driver;
  readonly printer: string;
  readonly close: () => void;
}

/** What can go wrong with it. */
const TROUBLES = ["blank", "still", "stuck", "stripe"] as const;
/** Makers of printers with a roll for the journal beside that for receipts, and a lever at the head. */
const TWO_ROLLS: readonly Driver[] = ["vendorF.shtrih"];

export default function Panel({ driver, printer, close }: PanelProps) {
  const { t } = useWords();
  useDialog(true, close);
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={480}
      title={t("loadPaper.title", { printer })}
      closeButtonProps={{ "aria-label": t("loadPaper.close"), className: "no-print" }}
    >
      <div className={styles.sheet} data-printed-alone>
        <ol className={styles.steps}>
          {STEPS.map((step) => (
            <li key={step} className={styles.step}>
              <StepPicture step={step} />
              <div>
                <h3 className={styles.title}>{t(`loadPaper.${step}`)}</h3>
                <p>{t(`loadPaper.${step}Text`)}</p>
              </div>
            </li>
          ))}
        </ol>
        {TWO_ROLLS.includes(driver) && (
          <p className={styles.maker}>{t("loadPaper.twoRolls", { maker: MAKERS[driver] })}</p>
        )}
        <p>{t("loadPaper.after")}</p>
        <dl className={styles.troubles}>
          {TROUBLES.map((trouble) => (
            <div key={trouble}>
              <dt>{t(`loadPaper.${trouble}`)}</dt>
              <dd>{t(`loadPaper.${trouble}Text`)}</dd>
            </div>
          ))}
        </dl>
        <p className="aside">{t("loadPaper.models", { maker: MAKERS[driver] })}</p>
        <Button className="no-print" variant="default" onClick={() => window.print()}>
          {t("loadPaper.print")}
        </Button>
      </div>
    </Drawer>
  );
}
