/** The link by which somebody sets a password, shown this once, and what to do with it. */

import { CopyText } from "../../../parts/copy-text.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { resetLink } from "../../../parts/reset-link.ts";
import { useFormat, useWords } from "../../../words/words.tsx";
import styles from "./people.module.css";

/** Addresses by which only this computer reaches the box. */
const OWN_NAMES = ["localhost", "127.0.0.1", "[::1]"];

interface PasswordLinkProps {
  readonly name: string;
  readonly email: string;
  readonly code: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export function PasswordLink({ name, email, code, expiresAt }: PasswordLinkProps) {
  const { t } = useWords();
  const format = useFormat();
  const time = format.dateTime(expiresAt);
  return (
    <div className={styles.link}>
      <Notice mood="warn" text={t("people.linkOnce")} />
      <p>{t("people.linkText", { name, time })}</p>
      <CopyText isBlock text={resetLink(location.origin, { code, email })} />
      {OWN_NAMES.includes(location.hostname) && <p className="aside">{t("people.linkHereOnly")}</p>}
      <p>{t("people.codeText")}</p>
      <CopyText isBlock text={code} />
    </div>
  );
}
