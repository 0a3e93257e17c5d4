/** One part of a printer's settings: read by itself, saved by itself, and whatever may be wrong said. */

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { GatewayError } from "../../../../client/index.ts";
import { useReach } from "../../../api/hooks.ts";
import { Notice } from "../../../parts/notice.tsx";
import { Failure, PageSkeleton } from "../../../parts/page-states.tsx";
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
  const isSilent = useReach().kind === "silent";
  const isReached = printer.effectiveStatus === "online" && !isSilent;
  return (
    <section className={`box ${styles.part}`}>
      <header>
        <h2 className={styles.title}>{title}</h2>
        <p className="aside">{text}</p>
      </header>
      <Body {...{ printer, reads, cannot, isReached }}>{children}</Body>
    </section>
  );
}

type BodyProps = Omit<PartProps, "title" | "text"> & { readonly isReached: boolean };

function Body({ printer, reads, cannot, isReached, children }: BodyProps) {
  const { t } = useWords();
  const error = reads.find((one) => one.error !== null)?.error ?? null;
  const again = () => {
    for (const one of reads) void one.refetch();
  };
  if (isImpossible(error)) return <Notice mood="idle" text={cannot} />;
  const isThere = reads.every(({ data }) => data !== undefined);
  if (!isThere) {
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
      {!isReached && (
        <Notice mood="warn" text={t("setting.offlineKnown", { printer: printer.name })} />
      )}
      <fieldset className={styles.fields} disabled={!isReached}>
        {children()}
      </fieldset>
    </>
  );
}
