/** Several that go through the same side by side, and do some of it together: once for all of them. */

/** One that has come to something that is done together. */
interface Waiting {
  readonly deed: string;
  readonly act: () => Promise<unknown>;
  readonly done: PromiseWithResolvers<void>;
}

export class Meeting {
  #members = 0;
  #waiting: Waiting[] = [];

  /** From now on the others wait for one more. */
  enter(): void {
    this.#members += 1;
  }

  /** The others no longer wait for one of them, which has ended or failed. */
  leave(): void {
    this.#members -= 1;
    this.#goOn();
  }

  /**
   * Waits until all have come to the same, and does it once.
   * @param deed what it is, for those who have come to different things
   * @throws Error at each of them then; what the act throws, likewise
   */
  async together(deed: string, act: () => Promise<unknown>): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#waiting.push({ deed, act, done });
    this.#goOn();
    await done.promise;
  }

  #goOn(): void {
    const [first] = this.#waiting;
    if (first === undefined || this.#waiting.length < this.#members) return;
    const all = this.#waiting.splice(0);
    const deeds = new Set(all.map(({ deed }) => deed));
    const act = deeds.size === 1 ? first.act : () => Promise.reject(new Error(strayed(deeds)));
    // Whatever becomes of it, it becomes of it at each of them.
    const ended = act().then(() => undefined);
    for (const { done } of all) done.resolve(ended);
  }
}

function strayed(deeds: Iterable<string>): string {
  return `they do not go through the same: ${[...deeds].join("; ")}`;
}
