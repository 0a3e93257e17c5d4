/** The backups that are kept, at the usual place and on each stick. */

import type { Body } from "../../../api/queries.ts";
import { StateMark } from "../../../parts/state-mark.tsx";
import { useFormat, useWords } from "../../../words/words.tsx";
import styles from "../cards.module.css";
import own from "./backup.module.css";
import { sizeText } from "./size.ts";

type Backups = Body<"/api/v1/backups">;

/** So many stand in the page; older ones are counted. */
const SHOWN_MAX = 60;

export function KeptBackups({ backups }: { readonly backups: Backups }) {
  const { t } = useWords();
  const { settings, sticks } = backups;
  const elsewhere = sticks.filter(
    (stick) => stick.backups.length > 0 && settings.to !== `usb:${stick.name}`,
  );
  return (
    <section className={`box ${styles.section}`} aria-labelledby="backup-kept">
      <h2 className={styles.title} id="backup-kept">
        {t("backup.kept")}
      </h2>
      <p className="aside">{t("backup.keptText")}</p>
      {backups.backups.length === 0 ? (
        <p>{t("backup.noneYet")}</p>
      ) : (
        <List backups={backups.backups} label={t("backup.usualPlace")} />
      )}
      {elsewhere.map((stick) => (
        <div key={stick.name}>
          <h3 className={own.subtitle}>{t("backup.placeStick", { name: stick.name })}</h3>
          <List backups={stick.backups} label={stick.name} />
        </div>
      ))}
    </section>
  );
}

interface ListProps {
  readonly backups: Backups["backups"];
  readonly label: string;
}

function List({ backups, label }: ListProps) {
  const { t } = useWords();
  const format = useFormat();
  const more = backups.length - SHOWN_MAX;
  return (
    <>
      <ul className={own.list} aria-label={label}>
        {backups.slice(0, SHOWN_MAX).map(({ name, createdAt, bytes }) => (
          <li key={name}>
            <span>{format.dateTime(createdAt)}</span>
            <span className="figure">{sizeText(bytes, format)}</span>
            <StateMark mood="good" word={t("backup.verified")} />
          </li>
        ))}
      </ul>
      {more > 0 && <p className="aside">{t("backup.more", { count: more })}</p>}
    </>
  );
}
