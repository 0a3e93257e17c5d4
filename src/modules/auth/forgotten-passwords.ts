/** Asking for a new password without the old one, and setting it. */

import { ApiError } from "#core/errors.ts";
import { RESET_CODE_INTERVAL_MS, RESET_CODE_MS } from "#core/limits.ts";
import type { Stores } from "#db/stores/index.ts";
import type { User } from "#db/stores/users.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { isOfNow } from "../../platform/of-now.ts";
import type { Outbox } from "../../platform/outbox.ts";
import type { Random } from "../../platform/random.ts";
import { hashOfSecret } from "../../platform/secrets.ts";
import type { GuessGuard } from "./guess-guard.ts";
import { normalEmail } from "./new-rows.ts";
import type { Passwords } from "./password.ts";
import { type CodeTime, issuePasswordCode } from "./password-codes.ts";
import type { ResetPasswordBody } from "./schema.ts";
import { replacePassword } from "./user-rules.ts";

export interface ForgottenPasswordsOptions extends CodeTime {
  readonly stores: Pick<Stores, "users" | "organizations" | "passwordCodes" | "audit" | "guesses">;
  readonly writer: Writer;
  readonly passwords: Passwords;
  readonly clock: Pick<Clock, "now" | "elapsed">;
  readonly random: Random;
  readonly log: Log;
  /** Undefined where no mail server is configured: then the person at the box makes a code. */
  readonly outbox: Outbox | undefined;
  readonly guard: GuessGuard;
}

export type ForgottenPasswords = ReturnType<typeof createForgottenPasswords>;

/** Makes the service. */
export function createForgottenPasswords(options: ForgottenPasswordsOptions) {
  const { stores, writer, passwords, clock, time, log, outbox } = options;
  const wasJustAsked = createMailInterval(clock);

  const userOf = (hash: string): User => {
    const found = stores.passwordCodes.find(hash);
    if (found?.user.active === true && isOfNow(found.code, time.asStored())) return found.user;
    throw new ApiError("UNAUTHORIZED", "The code is wrong, was used before or has expired");
  };

  const requireCode = async (hash: string, address: string | null): Promise<void> => {
    const guess = options.guard.begin({ address, what: "reset code" });
    try {
      userOf(hash);
    } catch (error) {
      await guess.wrong();
      throw error;
    } finally {
      guess.end();
    }
  };

  return {
    /**
     * Takes a request for a new password. Whether there is such a user shows neither in what this
     * returns nor in how long it takes: everything is done afterwards.
     * @param address the client's network address
     * @returns how a code reaches a user
     */
    ask(email: string, address: string | null): { delivery: "mail" | "box" } {
      writer
        .run((tx) => {
          const user = stores.users.findByEmail(normalEmail(email));
          if (user?.active !== true || wasJustAsked(user.id, tx)) return;
          const about = { userId: user.id, orgId: user.orgId };
          if (outbox === undefined) {
            tx.after(() => log.info("new password asked for, but there is no mail server", about));
            return;
          }
          const code = issuePasswordCode(options, user, RESET_CODE_MS);
          const mail = mailTo(user, stores.organizations.get(user.orgId)?.name ?? "", code);
          const expiresAt = clock.now() + RESET_CODE_MS;
          tx.after(() => outbox.send({ ...mail, about, expiresAt }));
          const at = clock.now();
          const details = null;
          const entry = { orgId: user.orgId, at, resource: user.id, address, details };
          stores.audit.append({ ...entry, actor: "nobody", action: "user.password_reset_asked" });
        }, "later")
        .catch((error: unknown) => log.error("new password asked for in vain", { error }));
      return { delivery: outbox === undefined ? "box" : "mail" };
    },

    /**
     * Sets a password by a code, which is used up, and ends every session of the user.
     * @param address the client's network address
     * @throws ApiError UNAUTHORIZED, the same whatever is wrong with the code
     * @throws TooManyGuesses after wrong ones
     */
    async reset({ token, password }: ResetPasswordBody, address: string | null): Promise<void> {
      const hash = hashOfSecret(token);
      // Before the password is hashed, so that a wrong code costs nothing.
      await requireCode(hash, address);
      const passwordHash = await passwords.hash(password);
      await writer.run(() => {
        const user = userOf(hash);
        const now = clock.now();
        replacePassword(stores, user, { passwordHash, now });
        options.guard.proven(user, { address });
        stores.audit.append({
          orgId: user.orgId,
          at: now,
          actor: `user:${user.id}`,
          action: "user.password_reset",
          resource: user.id,
          address,
          details: null,
        });
      });
    },
  };
}

/**
 * Nobody's mailbox is to be filled through the gateway. What counts are the mails of this run: a code that a
 * person has given is none, and one that was used does not make its mail undone.
 * @returns whether a user was sent one just now; where not, from now on
 */
function createMailInterval(clock: Pick<Clock, "elapsed">) {
  /** By user, oldest first: when the interval is over, by `elapsed`. */
  const untils = new Map<string, number>();
  return (userId: string, tx: Transaction): boolean => {
    const now = clock.elapsed();
    for (const [id, until] of untils) {
      if (until > now) break;
      untils.delete(id);
    }
    if (untils.has(userId)) return true;
    untils.set(userId, now + RESET_CODE_INTERVAL_MS);
    tx.undone(() => untils.delete(userId));
    return false;
  };
}

function mailTo({ email }: User, organization: string, code: string) {
  // In lines of at most 76 characters mail need not be encoded, which keeps the code in one piece.
  const text = [
    "Somebody asked for a new password.",
    "",
    `Organization: ${organization}`,
    `User:         ${email}`,
    "",
    "This code sets one, once, within an hour:",
    "",
    `    ${code}`,
    "",
    "Enter it where you asked for it, or in the portal at /reset. A program",
    "sends it as `token`, with the new `password`, to",
    "POST /api/v1/auth/reset-password.",
    "",
    "If it was not you, do nothing: the password stays as it is.",
    "",
  ].join("\n");
  return { to: email, subject: "Code for a new password", text };
}
