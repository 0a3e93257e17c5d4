/**
 * Mails on their way to the mail server. They are kept in memory only, because they hold what is
 * stored nowhere else but as a hash: whoever waits for one when the gateway stops asks again.
 */

import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { errorCode, errorText } from "./thrown.ts";

/** One mail in plain text. */
export interface Mail {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** What the log says of it; neither its text nor its address. */
  readonly about: Readonly<Record<string, string>>;
  /** UTC milliseconds after which it is of no use. */
  readonly expiresAt: number;
}

/** Takes mails and sends them by itself. */
export interface Outbox {
  /** Returns at once; a mail that cannot be sent is tried again for a while. */
  send(mail: Mail): void;
  /** Gives up what is not sent yet. */
  stop(): void;
}

/** Hands one mail to the mail server. Rejects with the server's or the network's error. */
export type Deliver = (mail: Mail, signal: AbortSignal) => Promise<void>;

export interface OutboxOptions {
  readonly deliver: Deliver;
  readonly clock: Clock;
  readonly log: Log;
}

/** Mails that may be under way or wait at one time. */
const MAILS_MAX = 50;
/** One attempt may take this long. */
const ATTEMPT_MS = 30_000;
/** Waits before the second attempt and each later one. */
const RETRY_MS: readonly number[] = [10_000, 60_000, 300_000, 900_000];

/** Makes the outbox. */
export function createOutbox({ deliver, clock, log }: OutboxOptions): Outbox {
  /** What ends each mail that is under way or waits. */
  const ends = new Map<Mail, () => void>();

  const failed = (mail: Mail, attempt: number, error: unknown): void => {
    const waitMs = RETRY_MS[attempt - 1];
    const about = { ...mail.about, attempt, ...reasonOf(error) };
    if (isFinal(error) || waitMs === undefined || clock.now() + waitMs >= mail.expiresAt) {
      ends.delete(mail);
      log.error("mail given up", about);
      return;
    }
    log.warn("mail not sent yet", { ...about, waitMs });
    ends.set(
      mail,
      clock.setTimer(waitMs, () => attemptToSend(mail, attempt + 1)),
    );
  };

  const attemptToSend = (mail: Mail, attempt: number): void => {
    const abort = new AbortController();
    const cancelLimit = clock.setTimer(ATTEMPT_MS, () => abort.abort(new TooSlow()));
    const end = (): void => {
      cancelLimit();
      abort.abort(new Stopped());
    };
    ends.set(mail, end);
    deliver(mail, abort.signal).then(
      () => {
        cancelLimit();
        ends.delete(mail);
        log.info("mail sent", { ...mail.about, attempt });
      },
      (error: unknown) => {
        cancelLimit();
        // Given up meanwhile: nobody waits for it any more.
        if (ends.get(mail) === end) failed(mail, attempt, abort.signal.reason ?? error);
      },
    );
  };

  return {
    send(mail) {
      if (ends.size < MAILS_MAX) attemptToSend(mail, 1);
      else log.error("mail given up", { ...mail.about, reason: `${MAILS_MAX} others wait` });
    },
    stop() {
      const all = [...ends.values()];
      ends.clear();
      for (const end of all) end();
    },
  };
}

class TooSlow extends Error {
  override readonly message = `the mail server took more than ${ATTEMPT_MS / 1_000} s`;
}

class Stopped extends Error {
  override readonly message = "the gateway stops";
}

/** What a person can use of an error; its stack and its other fields may hold the mail. */
function reasonOf(error: unknown): { reason: string; code?: string } {
  const code = errorCode(error);
  return { reason: errorText(error), ...(code === undefined ? {} : { code }) };
}

/** True for an answer of the server that another attempt will not change. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error) || !("responseCode" in error)) return false;
  return typeof error.responseCode === "number" && error.responseCode >= 500;
}
