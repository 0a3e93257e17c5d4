/** One part of a printer's settings: read by itself, saved by itself, and whatever may be wrong said. */

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { GatewayError } from "../../../../client/index.ts";
import { useReach } from "../../../api/hooks.ts";
import { Notice } from "../../../parts/notice.tsx";
import { Failure, PageComing, PageSkeleton } from "../../../parts/page-states.tsx";
import { useWords } from "../../../words/words.tsx";
import type { Printer } from "../tab.ts";
import { isImpossible } from "./live-read.ts";
import styles from "./setup.module.css";

interface PartProps {
  readonly printer: Printer;
  readonly title: string;
  readonly text: string;
  /** What has to be read before it can be shown. */
  readonly reads: readonly PartRead[];
  /** Said where the printer has no command for it. */
  readonly cannot: string;
  readonly children: () => ReactNode;
}

interface PartRead {
  readonly data: unknown;
  readonly error: GatewayError | null;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

export function Part({ printer, title, text, reads, cannot, children }: PartProps) {
  return (
    <section className={`box ${styles.part}`}>
      <header>
        <h2 className={styles.title}>{title}</h2>
        <p className="aside">{text}</p>
      </header>
      <Body {...{ printer, reads, cannot }}>{children}</Body>
    </section>
  );
}

type BodyProps = Omit<PartProps, "title" | "text">;

function Body({ printer, reads, cannot, children }: BodyProps) {
  const { t } = useWords();
  // While nobody knows how the printer is, the page says so of all that stands on it.
  const isSilent = useReach().kind === "silent";
  const isReached = printer.effectiveStatus === "online";
  const error = reads.find((one) => one.error !== null)?.error ?? null;
  const again = () => {
    for (const one of reads) void one.refetch();
  };
  if (isImpossible(error)) return <Notice mood="idle" text={cannot} />;
  const isThere = reads.every(({ data }) => data !== undefined);
  if (!isThere) {
    if (isSilent) return <PageComing />;
    if (!isReached) {
      return <Notice mood="warn" text={t("setting.offline", { printer: printer.name })} />;
    }
    if (error === null) return <PageSkeleton />;
    if (!error.isTemporary) return <Failure error={error} retry={again} />;
    return (
      <Notice mood="warn" text={t("setting.unread", { printer: printer.name })}>
        <Button variant="default" onClick={again}>
          {t("states.retry")}
        </Button>
      </Notice>
    );
  }
  return (
    <>
      {!isReached && !isSilent && (
        <Notice mood="warn" text={t("setting.offlineKnown", { printer: printer.name })} />
      )}
      <fieldset className={styles.fields} disabled={!isReached || isSilent}>
        {children()}
      </fieldset>
    </>
  );
}
