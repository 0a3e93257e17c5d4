/**
 * Makes guessing at passwords hopeless, without letting a stranger lock anybody out.
 *
 * Wrong guesses are counted three times (`core/guesses.ts`): for the account from this address, for
 * the account from all addresses at which it is not known, and for the address whatever it guesses
 * at. The second count, which a stranger can drive up from anywhere, does not hold back who comes
 * from an address at which this user has proven who it is, nor the person at the machine itself. An
 * account that does not exist is counted like one that does, so that a wait tells nothing. The key
 * of a program, which goes on with an old one, is counted for its address apart.
 *
 * The counts are rows of the database: a restart forgets nothing. Waits run on counted time, so that
 * a clock that is set neither ends one nor makes it longer.
 */

import { TooManyGuesses } from "#core/errors.ts";
import {
  countedGuesses,
  type Guesses,
  type GuessKind,
  isWorthTelling,
  waitAfter,
} from "#core/guesses.ts";
import type { Stores } from "#db/stores/index.ts";
import type { User } from "#db/stores/users.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import { countedAddress } from "../../http/client-address.ts";
import type { Clock } from "../../platform/clock.ts";
import type { CountedTime } from "../../platform/counted-time.ts";
import type { Log } from "../../platform/log.ts";
import { isAhead } from "../../platform/of-now.ts";

export interface GuessGuardOptions {
  readonly stores: Pick<Stores, "guesses" | "audit">;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
  readonly time: Pick<CountedTime, "now">;
  readonly log: Log;
}

/** Who guesses at what. */
export interface GuessedAt {
  /** Network address of the client; null where it is not known. */
  readonly address: string | null;
  /** Email address, normalized; undefined for what belongs to no account, as the set-up code. */
  readonly email?: string;
  /** The account's user, where there is one. */
  readonly user?: User | undefined;
  /** From the machine itself. */
  readonly isAtTheBox?: boolean;
  /** For the log: `password`, `set-up code`. */
  readonly what: string;
  /**
   * Counted for the address by itself: a program that goes on with an old key holds up no person who
   * logs in from there, nor does somebody who mistypes hold up the program.
   */
  readonly isApart?: boolean;
}

/** One guess that is being checked. End it in any case. */
export interface Guess {
  /** It was wrong. Resolves when that is on disk. */
  wrong(): Promise<void>;
  /** It was right. Inside a writer's operation. */
  right(): void;
  /** It is over. Harmless when called twice. */
  end(): void;
}

/** How and where somebody has shown to be a user. */
export interface Proof {
  /** The client's network address; null where it is not known, which proves nothing of any. */
  readonly address: string | null;
  /**
   * Of the session whose token it was; absent for a password or a code. A token may have been copied:
   * it speaks for the address that it came from last, so that whoever has the copy neither guesses
   * from many addresses nor drives out the user's own.
   */
  readonly sessionId?: string;
}

export type GuessGuard = ReturnType<typeof createGuessGuard>;

/** What one guess is counted for. */
interface Count {
  readonly kind: GuessKind;
  readonly subject: string;
  readonly account: string | null;
}

/** Makes the guard. There is one of a gateway, as it knows what is being checked right now. */
export function createGuessGuard(options: GuessGuardOptions) {
  const { stores, writer, time } = options;
  const startedAt = time.now();
  const underWay = new Map<string, number>();
  const guessesOf = (subject: string, now: number): Guesses | undefined => {
    const row = stores.guesses.find(subject);
    // Noted while the clock was ahead, before this start: the wait would last until it gets there.
    return row && isAhead(row.lastAt, now) ? { ...row, lastAt: startedAt } : row;
  };

  const requireTurn = (count: Count): void => {
    const now = time.now();
    const row = guessesOf(count.subject, now);
    const failures = countedGuesses(count.kind, row, now);
    const waitedMs = Math.max(0, now - (row?.lastAt ?? 0));
    const leftMs = waitAfter(count.kind, failures) - waitedMs;
    if (failures > 0 && leftMs > 0) throw new TooManyGuesses(leftMs);
    // Many at once would all be checked before the first of them is counted.
    const checked = underWay.get(count.subject) ?? 0;
    if (checked > 0 && waitAfter(count.kind, failures + checked) > 0) throw new TooManyGuesses(0);
  };

  const note = (tx: Transaction, at: GuessedAt, count: Count): void => {
    const { kind, subject, account } = count;
    const now = time.now();
    const failures = countedGuesses(kind, guessesOf(subject, now), now) + 1;
    stores.guesses.put({ subject, account, failures, lastAt: now });
    if (isWorthTelling(kind, failures)) tell(options, tx, { at, kind, failures });
  };

  return {
    /**
     * To be called before a password or code is checked.
     * @throws TooManyGuesses while whoever it is has to wait
     */
    begin(at: GuessedAt): Guess {
      const counts = countsOf(at, stores.guesses);
      for (const count of counts) requireTurn(count);
      for (const { subject } of counts) underWay.set(subject, (underWay.get(subject) ?? 0) + 1);
      let isOver = false;
      const end = (): void => {
        if (isOver) return;
        isOver = true;
        for (const { subject } of counts) {
          const left = (underWay.get(subject) ?? 1) - 1;
          if (left > 0) underWay.set(subject, left);
          else underWay.delete(subject);
        }
      };
      return {
        wrong: () =>
          writer.run((tx) => {
            for (const count of counts) note(tx, at, count);
          }),
        right() {
          // What others did elsewhere, or what this address did to other accounts, stays counted.
          for (const { kind, subject } of counts) {
            if (kind === "pair") stores.guesses.remove(subject);
          }
          if (at.user !== undefined) noteProof(options, at.user, { address: at.address });
        },
        end,
      };
    },
    /** The same of another proof, as of a registration. Inside a writer's operation. */
    proven: (user: Pick<User, "id">, proof: Proof): void => noteProof(options, user, proof),
  };
}

/** Says in the log, and to the managers of who is guessed at, that further ones have to wait. */
function tell(
  { stores, clock, log }: GuessGuardOptions,
  tx: Transaction,
  guessed: { readonly at: GuessedAt; readonly kind: GuessKind; readonly failures: number },
): void {
  const { at, kind, failures } = guessed;
  const { address, user, what } = at;
  const told = { what, by: kind, failures, waitSeconds: waitAfter(kind, failures) / 1000 };
  const line = { ...told, address, userId: user?.id, orgId: user?.orgId };
  tx.after(() => log.warn("wrong guesses: further ones have to wait", line));
  if (user === undefined) return;
  stores.audit.append({
    ...{ orgId: user.orgId, at: clock.now(), actor: "nobody", action: "user.guessed_at" },
    ...{ resource: user.id, address, details: told },
  });
}

/** Strangers who guess do not hold up that user there from now on. */
function noteProof(
  { stores, clock }: GuessGuardOptions,
  user: Pick<User, "id">,
  proof: Proof,
): void {
  if (proof.address === null) return;
  const [address, sessionId] = [countedAddress(proof.address), proof.sessionId ?? null];
  stores.guesses.noteAddress({ userId: user.id, address, lastAt: clock.now(), sessionId });
}

function countsOf(
  { address, email, user, what, isAtTheBox = false, isApart = false }: GuessedAt,
  guesses: GuessGuardOptions["stores"]["guesses"],
): Count[] {
  const place = countedAddress(address ?? undefined);
  const count = (kind: GuessKind, account: string | null, ...parts: readonly string[]): Count => ({
    kind,
    subject: hashOf([kind, ...parts].join("\n")),
    account,
  });
  const ofAddress = count("address", null, place, ...(isApart ? [what] : []));
  if (email === undefined) return [ofAddress];
  const account = guessedAccount(email);
  const isKnown = isAtTheBox || (user !== undefined && guesses.isKnown(user.id, place));
  return [
    count("pair", account, account, place),
    ...(isKnown ? [] : [count("account", account, account)]),
    ofAddress,
  ];
}

/** What the counts of an account are found by, of its normalized email address. */
export function guessedAccount(email: string): string {
  return hashOf(email);
}

function hashOf(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
