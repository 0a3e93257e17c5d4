/**
 * What a page shows while its data are not there, or not new: every page that reads goes through
 * `PageStates`, so that all of them load, fail and go offline alike.
 */

import { Button, Skeleton } from "@mantine/core";
import { createContext, type ReactNode, useContext, useState } from "react";
import { Link, useLocation } from "wouter";
import { GatewayError } from "../../client/index.ts";
import { useNow, useReach } from "../api/hooks.ts";
import { silenceOf } from "../api/reach.ts";
import { readAgain } from "../api/recovery.ts";
import { useFormat, useWords, type Word } from "../words/words.tsx";
import { CopyText } from "./copy-text.tsx";
import { DataLost } from "./data-lost.tsx";
import styles from "./page-states.module.css";
import { Pause } from "./pause.tsx";
import { StateShape } from "./state-mark.tsx";

/** What `useQuery` or `useInfiniteQuery` gives. */
interface Reading<Data> {
  readonly data: Data | undefined;
  readonly error: GatewayError | null;
  readonly dataUpdatedAt: number;
  readonly refetch: () => unknown;
}

/** For a page that is made of several: there once all are, and as old as the oldest. */
export function allOf(reads: readonly Reading<unknown>[]): Reading<true> {
  const isThere = reads.every(({ data }) => data !== undefined);
  return {
    data: isThere ? true : undefined,
    error: reads.find(({ error }) => error !== null)?.error ?? null,
    dataUpdatedAt: Math.min(...reads.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    refetch: () => {
      for (const one of reads) void one.refetch();
    },
  };
}

interface PageStatesProps<Data> {
  readonly query: Reading<Data>;
  /** In the shape of what comes; lines unless given. */
  readonly skeleton?: ReactNode;
  /** Shown in place of the page when it is true of the data. */
  readonly isEmpty?: (data: Data) => boolean;
  readonly empty?: ReactNode;
  /** Where to go from what is not there, on a page without a `BackLink`; Today unless given. */
  readonly wayOut?: WayOutProps;
  readonly children: (data: Data) => ReactNode;
}

/** The data, or why there are none. What was read last stays, grey and with its age, when the box is gone. */
export function PageStates<Data>(props: PageStatesProps<Data>) {
  const { query, skeleton = <PageSkeleton />, isEmpty, empty, wayOut, children } = props;
  const reach = useReach();
  const isInOld = useContext(InOldData);
  const { data, error } = query;
  // What was removed meanwhile has nothing more to show, and nothing to press.
  if (data === undefined || error?.status === 404) {
    if (error === null) return <Coming retry={() => void readAgain(true)}>{skeleton}</Coming>;
    return <Failure {...{ error, wayOut }} retry={() => void query.refetch()} goesOn />;
  }
  const isOld = reach.kind === "silent" || error?.isTemporary === true;
  const isShownOld = isOld && !isInOld;
  return (
    <InOldData value={isOld || isInOld}>
      {isShownOld && <OldData readAt={query.dataUpdatedAt} />}
      <div className={styles.data} data-old={isShownOld}>
        {isEmpty?.(data) === true ? empty : children(data)}
      </div>
    </InOldData>
  );
}

/** What the page has when nobody answers it. */
export const GONE = new GatewayError({ code: "UNREACHABLE", message: "No answer of the gateway" });

interface ComingProps {
  readonly children: ReactNode;
  /** Absent where it goes on by itself alone. */
  readonly retry?: () => void;
}

/** What stands in the place of something that comes, and that the box does not answer once that is so. */
export function Coming({ children, retry }: ComingProps) {
  const reach = useReach();
  const now = useNow(reach.kind === "live" ? null : 1_000);
  const [begunAt] = useState(() => Date.now());
  const isUnheard =
    reach.kind !== "live" &&
    silenceOf({ ...reach, since: Math.max(reach.since, begunAt) }, now) !== undefined;
  return isUnheard ? <Failure error={GONE} {...(retry && { retry })} goesOn /> : children;
}

/** True within data that are shown as old: what is part of them is not greyed and dated again. */
const InOldData = createContext(false);

/** Nothing there yet, and what to do about it. */
export function Empty({ title, text, children }: EmptyProps) {
  return (
    <div className={styles.message}>
      <strong>{title}</strong>
      {text !== undefined && <p className="quiet">{text}</p>}
      {children}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly text?: string;
  readonly children?: ReactNode;
}

/** Lines where text will be; still, and late enough not to flash. */
export function PageSkeleton() {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {[40, 92, 84, 96, 70].map((width) => (
        <Skeleton key={width} height={20} width={`${width}%`} animate={false} />
      ))}
    </div>
  );
}

/** In place of a page or a part of one: its script is on the way, and comes by itself where the box takes its time. */
export function PageComing() {
  return (
    <Coming>
      <PageSkeleton />
    </Coming>
  );
}

interface FailureProps {
  readonly error: GatewayError;
  readonly retry?: () => void;
  /** It is asked again by itself, once the box is heard again or lets it be asked. */
  readonly goesOn?: boolean;
  /** From what is not there; to Today unless given. */
  readonly wayOut?: WayOutProps | undefined;
}

/** Why there is nothing to show, and a way out. */
export function Failure({ error, retry, goesOn = false, wayOut }: FailureProps) {
  const { t } = useWords();
  const words = wordsOf(error);
  const isGone = words === WORDS_OF.unreachable;
  const isBusy = words === WORDS_OF.busy;
  return (
    <Refusal words={words} isForbidden={words === WORDS_OF.forbidden}>
      {isBusy && <Pause error={error} retry={goesOn ? retry : undefined} />}
      {isGone && goesOn && <p className="quiet">{t("states.byItself")}</p>}
      {retry !== undefined && words.canRetry && !isBusy && (
        <Button variant="default" onClick={retry}>
          {t("states.retry")}
        </Button>
      )}
      {!words.canRetry && <WayOut {...(words === WORDS_OF.missing ? wayOut : undefined)} />}
      {error.requestId !== undefined && <CopyText text={error.requestId} />}
      {words === WORDS_OF.failed && <DataLost />}
    </Refusal>
  );
}

/** Whom to ask, where it is known beforehand that the gateway would refuse. */
export function Forbidden() {
  return (
    <Refusal words={WORDS_OF.forbidden} isForbidden>
      <WayOut />
    </Refusal>
  );
}

/** What the address names is not there. */
export function Missing() {
  return (
    <Refusal words={WORDS_OF.missing}>
      <WayOut />
    </Refusal>
  );
}

interface WayOutProps {
  readonly href?: string;
  readonly word?: Word;
}

/** Where trying again cannot help; none to the page itself. */
function WayOut({ href = "/", word = "unknown.home" }: WayOutProps) {
  const { t } = useWords();
  const [path] = useLocation();
  if (path === href) return null;
  return (
    <Button component={Link} href={href} variant="default">
      {t(word)}
    </Button>
  );
}

/** What is the matter, and below it the way out. */
export function Refusal({ words, isForbidden = false, children }: RefusalProps) {
  const { t } = useWords();
  return (
    <div className={styles.message} role="alert" data-forbidden={isForbidden}>
      <span className={styles.title}>
        <StateShape mood="bad" />
        <strong>{t(words.title)}</strong>
      </span>
      <p className="quiet">{t(words.text)}</p>
      {children}
    </div>
  );
}

interface RefusalProps {
  readonly words: RefusalWords;
  /** Whoever asks may not have it, and is offered nothing beside the page's title. */
  readonly isForbidden?: boolean;
  readonly children?: ReactNode;
}

interface RefusalWords {
  readonly title: Word;
  readonly text: Word;
}

interface FailureWords extends RefusalWords {
  readonly canRetry: boolean;
}

const WORDS_OF = {
  unreachable: {
    ...({ title: "states.unreachable.title", text: "states.unreachable.text" } as const),
    canRetry: true,
  },
  busy: {
    ...({ title: "states.busy.title", text: "states.busy.text" } as const),
    canRetry: true,
  },
  forbidden: {
    ...({ title: "states.forbidden.title", text: "states.forbidden.text" } as const),
    canRetry: false,
  },
  missing: {
    ...({ title: "states.missing.title", text: "states.missing.text" } as const),
    canRetry: false,
  },
  failed: {
    ...({ title: "states.failed.title", text: "states.failed.text" } as const),
    canRetry: true,
  },
  unnumbered: {
    ...({ title: "states.failed.title", text: "states.failed.textPlain" } as const),
    canRetry: true,
  },
} as const satisfies Record<string, FailureWords>;

function wordsOf(error: GatewayError): FailureWords {
  if (error.status === undefined) return WORDS_OF.unreachable;
  if (error.status === 429) return WORDS_OF.busy;
  if (error.status === 403) return WORDS_OF.forbidden;
  if (error.status === 404) return WORDS_OF.missing;
  return error.requestId === undefined ? WORDS_OF.unnumbered : WORDS_OF.failed;
}

/**
 * Its age stands on top: said a second time it would be another one.
 * @param readAt when it was asked for last; until the box fell silent events kept it as it was
 */
function OldData({ readAt }: { readonly readAt: number }) {
  const { t } = useWords();
  const format = useFormat();
  const reach = useReach();
  const at = reach.kind === "live" ? readAt : Math.max(readAt, reach.since);
  return (
    <p className={styles.old} role="status">
      <StateShape mood="warn" />
      {t("states.old", { time: format.time(at) })}
    </p>
  );
}
