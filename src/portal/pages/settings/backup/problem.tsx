/** What is wrong with the backups, and what to do about it. */

import type { Body } from "../../../api/queries.ts";
import { CopyText } from "../../../parts/copy-text.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { useFormat, useWords, type Word } from "../../../words/words.tsx";

/** By what the box says of it; the first that fits counts. */
const CURES: readonly (readonly [RegExp, Word])[] = [
  [/no USB stick/, "backup.cure.stick"],
  [/several USB sticks/, "backup.cure.sticks"],
  [/is not mounted/, "backup.cure.mount"],
  [/has .* left, and needs|ENOSPC/, "backup.cure.room"],
  [/there is no folder/, "backup.cure.folder"],
  [/cannot be written to|EROFS|EACCES/, "backup.cure.write"],
  [/passphrase/, "backup.cure.passphrase"],
  [/backup\.command ended/, "backup.cure.command"],
  [/another backup/, "backup.cure.wait"],
  [/the last backup is of/, "backup.cure.old"],
  [/corrupt|malformed|damaged|integrity/i, "backup.cure.damaged"],
];

const PASSPHRASE_GONE = /passphrase .* is not on this machine/;

export function Problem({ backups }: { readonly backups: Body<"/api/v1/backups"> }) {
  const { t } = useWords();
  const format = useFormat();
  const { problem, failed, settings, startedAt } = backups;
  if (startedAt !== null) return null;
  if (!settings.hasPassphrase && problem === null) {
    return <Notice mood="warn" text={t("backup.none")} />;
  }
  // In place of one that cannot be read, which another cure helps.
  if (problem !== null && PASSPHRASE_GONE.test(problem)) {
    return <Notice mood="bad" text={t("backup.passphraseGone")} />;
  }
  const reason = failed?.reason ?? problem;
  if (reason === null) return null;
  const cure = CURES.find(([pattern]) => pattern.test(reason))?.[1] ?? "backup.cure.other";
  return (
    <>
      {failed !== null && (
        <Notice mood="bad" text={t("backup.failedAt", { time: format.dateTime(failed.at) })} />
      )}
      <p>{t(cure)}</p>
      <CopyText text={reason} />
    </>
  );
}
