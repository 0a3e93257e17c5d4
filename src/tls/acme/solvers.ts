/** The two ways to show an authority that a name is ours. */

import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { withoutKeysOf } from "../../platform/shell-keys.ts";
import { runShopCommand } from "../../platform/shop-command.ts";
import type { Challenge, Solver } from "./acme-client.ts";

/** A name server's interface may be slow, but not for ever. */
const COMMAND_MS = 120_000;
/** Of what a command wrote, in the log. */
const WROTE_CHARACTERS = 300;

/** What is answered at `/.well-known/acme-challenge/<token>`, while an authority asks. */
export class HttpAnswers implements Solver {
  readonly type = "http-01";
  readonly #answers = new Map<string, string>();

  /** Undefined for a token that nobody waits for. */
  find(token: string): string | undefined {
    return this.#answers.get(token);
  }

  present({ token, answer }: Challenge): Promise<void> {
    this.#answers.set(token, answer);
    return Promise.resolve();
  }

  remove({ token }: Challenge): Promise<void> {
    this.#answers.delete(token);
    return Promise.resolve();
  }
}

/**
 * Has a command of the shop's put a TXT record into its zone: for a machine that nobody reaches from
 * the internet. It is called with `add` or `remove`, the record's name, and its value.
 */
export function dnsSolver(options: {
  /** A line for the shell; `$1` to `$3` are what it is called with. */
  readonly command: string;
  /** Until all name servers of the zone have it. */
  readonly waitMs: number;
  readonly pause: (ms: number) => Promise<void>;
  readonly clock: Pick<Clock, "setTimer">;
  /** Ends a command that adds a record. */
  readonly signal: AbortSignal;
  readonly log: Pick<Log, "warn">;
}): Solver {
  const run = async (action: "add" | "remove", { name, record }: Challenge): Promise<void> => {
    const owner = `_acme-challenge.${name}`;
    const { failure, said } = await runShopCommand({
      ...{ line: options.command, args: [action, owner, record], limitMs: COMMAND_MS },
      clock: options.clock,
      // What stops the gateway leaves no record behind: nobody waits for this, and it has its own limit.
      ...(action === "add" ? { signal: options.signal } : {}),
    });
    if (failure === undefined) return;
    const failed = `acme.dnsCommand ${action} ${owner} ${failure}`;
    // Not in the error, which `/health` shows to anybody: shells and curl repeat what they were given.
    const wrote = withoutKeysOf(options.command, said.trim()).slice(-WROTE_CHARACTERS);
    if (wrote === "") throw new Error(failed);
    options.log.warn("acme.dnsCommand failed", { action, owner, failure, wrote });
    throw new Error(`${failed}; the log has what it wrote`);
  };
  return {
    type: "dns-01",
    async present(challenge) {
      await run("add", challenge);
      await options.pause(options.waitMs);
    },
    async remove(challenge) {
      await run("remove", challenge).catch((error: unknown) =>
        options.log.warn("a TXT record was left behind", { error }),
      );
    },
  };
}
