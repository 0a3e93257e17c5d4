/** Looks at the passphrase of backups, aside from the gateway where it lies on a disk of others. */

import { relative, resolve } from "node:path";
import { PassphraseView, passphraseFileOf, viewPassphrase } from "../backup/passphrase.ts";
import type { Config } from "../config.ts";
import type { Clock } from "../platform/clock.ts";
import { AsideLooks, beginLook, type LookTask, seenInTime } from "./aside-looks.ts";
import { VIEW_PASSPHRASE } from "./view-aside.ts";

type Home = Pick<Config, "state.dir" | "backup.passphraseFile">;

const NOT_SEEN: PassphraseView = { line: null, fault: null, isAnswered: false };

const unanswered = ({ line }: PassphraseView, why: string): PassphraseView => ({
  ...{ line, fault: why, isAnswered: false },
});

export class PassphraseLooks {
  readonly #home: Home;
  readonly #looks: AsideLooks<PassphraseView>;

  constructor(home: Home, by: { readonly clock: Clock; readonly stopping: AbortSignal }) {
    this.#home = home;
    this.#looks = new AsideLooks({
      ...{ clock: by.clock, unseen: NOT_SEEN, unanswered },
      begin: (file) => beginLook(taskOf(file), by.stopping),
    });
  }

  /** What its file holds; where that does not answer in seconds, what it held last. */
  look(): Promise<PassphraseView> {
    const file = passphraseFileOf(this.#home);
    return isOwn(file, this.#home) ? viewPassphrase(file) : this.#looks.look(file);
  }
}

/** The same look, waited for by who has nothing else to do. */
export async function passphraseInTime(home: Home): Promise<PassphraseView> {
  const file = passphraseFileOf(home);
  if (isOwn(file, home)) return viewPassphrase(file);
  return seenInTime(taskOf(file), (why) => unanswered(NOT_SEEN, why));
}

/** True for a file of the state directory, whose disk is the gateway's own. */
function isOwn(file: string, home: Home): boolean {
  return !relative(resolve(home["state.dir"]), resolve(file)).startsWith("..");
}

function taskOf(file: string): LookTask<typeof PassphraseView> {
  return { words: [VIEW_PASSPHRASE, file], schema: PassphraseView };
}
