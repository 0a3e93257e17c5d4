/** What came over a line and has not been looked at, and the wait for more of it. */

import type { DriverEnvironment } from "#core/driver.ts";
import { RestartingTimer } from "../shared/restarting-timer.ts";

/** Between the bytes of a frame. */
const BYTE_TIMEOUT_MS = 1_000;

/** Finds tokens in bytes. */
interface Decoder<Token> {
  /** True when a frame has begun and not ended. */
  readonly isMidFrame: boolean;
  push(chunk: Uint8Array): Token[];
  reset(): void;
}

/** Nothing came, or only the beginning of a frame. */
type Pause = { readonly kind: "silence" | "damaged" };

interface InboxOptions<Token> {
  readonly decoder: Decoder<Token>;
  /** False for tokens that nobody waits for. */
  readonly isTold: (token: Token) => boolean;
  /** Tokens kept between two looks: more is noise, and as good as less. */
  readonly tokensMax: number;
}

/** The tokens of one line, in order; what comes late is kept. */
export class TokenInbox<Token> {
  readonly #options: InboxOptions<Token>;
  readonly #timer: RestartingTimer;
  #tokens: Token[] = [];
  #waiter: { readonly ms: number; readonly wake: (heard: Token | Pause) => void } | undefined;

  constructor(environment: Pick<DriverEnvironment, "setTimer">, options: InboxOptions<Token>) {
    this.#timer = new RestartingTimer(environment);
    this.#options = options;
  }

  /** The next token, or `silence` after `ms`; a frame that breaks off counts as `damaged`. */
  next(ms: number): Promise<Token | Pause> {
    const [ready] = this.#tokens.splice(0, 1);
    if (ready !== undefined) return Promise.resolve(ready);
    return new Promise((wake) => {
      this.#waiter = { ms, wake };
      this.#startTimer(ms);
    });
  }

  /** Takes what the line brought. */
  hear(chunk: Uint8Array): void {
    const { decoder, isTold, tokensMax } = this.#options;
    const tokens = decoder.push(chunk).filter(isTold);
    this.#tokens.push(...tokens.slice(0, tokensMax - this.#tokens.length));
    const waiter = this.#waiter;
    if (!waiter) return;
    const [token] = this.#tokens.splice(0, 1);
    if (token === undefined) {
      this.#startTimer(waiter.ms);
      return;
    }
    this.stop();
    waiter.wake(token);
  }

  /** Forgets what came and was not looked at. */
  clear(): void {
    this.#tokens = [];
    this.#options.decoder.reset();
  }

  /** Ends the wait, which is never answered. */
  stop(): void {
    this.#waiter = undefined;
    this.#timer.stop();
  }

  #startTimer(ms: number): void {
    const { decoder } = this.#options;
    this.#timer.start(decoder.isMidFrame ? BYTE_TIMEOUT_MS : ms, () => {
      const waiter = this.#waiter;
      this.#waiter = undefined;
      const kind = decoder.isMidFrame ? "damaged" : "silence";
      decoder.reset();
      waiter?.wake({ kind });
    });
  }
}
