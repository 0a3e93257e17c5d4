/**
 * Questions to the person at the terminal. They go to the standard error, so that the result can be
 * piped; a password is not shown while it is typed.
 */

import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import { isatty } from "node:tty";
import { CliFailure, EXIT } from "./exit.ts";
import { harmless, printErrorText } from "./output.ts";

/** True when somebody is there to be asked. */
export function canAsk(): boolean {
  return isatty(0) && isatty(2);
}

/** One question with a text for an answer. */
export interface Question<T> {
  readonly label: string;
  /** Taken when nothing is typed. */
  readonly initial?: string | undefined;
  /** Completes the sentence "Please type ...". */
  readonly rule: string;
  /** Undefined when the answer is not acceptable. */
  read(text: string): T | undefined;
}

/** One of a few answers. */
export interface Choice<T> {
  readonly text: string;
  readonly value: T;
}

/** What else may be answered to a numbered list. */
export interface Otherwise<T> {
  /** Completes the sentence "Please type a number from 1 to 3, or ...". */
  readonly rule: string;
  /** Undefined when the answer is not acceptable. */
  read(text: string): T | undefined;
}

/** Asks until it is closed, which must be done. */
export class Asker {
  readonly #lines: Interface;
  readonly #gaveUp = new AbortController();
  #isSecret = false;

  constructor() {
    const output = new Writable({
      write: (chunk, _encoding, done) => {
        if (!this.#isSecret) printErrorText(String(chunk));
        done();
      },
    });
    // Without a history, from which a password could be fetched back onto the screen.
    const options = { input: process.stdin, output, terminal: true, historySize: 0 };
    this.#lines = createInterface(options);
    this.#lines.once("SIGINT", () => this.#lines.close());
    this.#lines.once("close", () => this.#gaveUp.abort());
  }

  /** Aborted when the person wants no more: Ctrl-C or Ctrl-D. */
  get gaveUp(): AbortSignal {
    return this.#gaveUp.signal;
  }

  close(): void {
    this.#lines.close();
  }

  /** Says something between two questions. */
  say(line: string): void {
    printErrorText(`${harmless(line)}\n`);
  }

  /** Asks until the answer is acceptable. @throws CliFailure when the person gives up */
  async text<T>({ label, initial, rule, read }: Question<T>): Promise<T> {
    const offer = initial === undefined ? "" : ` [${harmless(initial)}]`;
    for (;;) {
      const typed = (await this.#line(`${label}${offer}: `)).trim();
      const value = read(typed === "" ? (initial ?? "") : typed);
      if (value !== undefined) return value;
      this.say(`  Please type ${rule}.`);
    }
  }

  /** Asks for a new password, twice. @throws CliFailure when the person gives up */
  async password({ label, rule, read }: Question<string>): Promise<string> {
    for (;;) {
      const typed = await this.#secret(`${label}: `);
      const value = read(typed);
      if (value === undefined) this.say(`  Please type ${rule}.`);
      else if ((await this.#secret("The same again: ")) === typed) return value;
      else this.say("  The two are not the same.");
    }
  }

  /** Asks for a word that is known already, once. @throws CliFailure when the person gives up */
  secret(label: string): Promise<string> {
    return this.#secret(`${label}: `);
  }

  /**
   * Offers a numbered list.
   * @param more the number that is taken when nothing is typed, and what else may be typed
   */
  async choice<T>(
    label: string,
    choices: readonly [Choice<T>, ...Choice<T>[]],
    more: { readonly initial?: number; readonly otherwise?: Otherwise<T> } = {},
  ): Promise<T> {
    const { initial = 1, otherwise } = more;
    this.say(label);
    for (const [index, { text }] of choices.entries()) this.say(`  ${index + 1}  ${text}`);
    const { value } = await this.text({
      label: "Which",
      initial: String(initial),
      rule: `a number from 1 to ${choices.length}${otherwise ? `, or ${otherwise.rule}` : ""}`,
      read(text) {
        if (/^\d{1,3}$/.test(text)) return choices[Number(text) - 1];
        const typed = otherwise?.read(text);
        return typed === undefined ? undefined : { value: typed };
      },
    });
    return value;
  }

  async #secret(prompt: string): Promise<string> {
    printErrorText(prompt);
    this.#isSecret = true;
    try {
      return await this.#line("");
    } finally {
      this.#isSecret = false;
      printErrorText("\n");
    }
  }

  #line(prompt: string): Promise<string> {
    const { signal } = this.#gaveUp;
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(stopped());
      if (signal.aborted) {
        giveUp();
        return;
      }
      signal.addEventListener("abort", giveUp, { once: true });
      this.#lines.question(prompt).then((line) => {
        signal.removeEventListener("abort", giveUp);
        resolve(line);
      }, giveUp);
    });
  }
}

function stopped(): CliFailure {
  return new CliFailure(EXIT.usage, "stopped; what was done stays: run it again to go on");
}
