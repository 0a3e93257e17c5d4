/** A program at a terminal, as a person has it in front of them. */

import type { Killable } from "./box.ts";
import { until } from "./until.ts";

const COLUMNS = 80;
const ROWS = 24;

export class Terminal implements Killable {
  /** Its exit code once it has ended. */
  readonly exited: Promise<number>;
  readonly #child: Bun.Subprocess;
  #screen = "";
  #seen = 0;

  /** Starts a command with nothing in its environment but the terminal's kind and `env`. */
  constructor(command: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
    const decoder = new TextDecoder();
    this.#child = Bun.spawn([...command], {
      cwd,
      env: { TERM: "xterm", ...env },
      terminal: {
        cols: COLUMNS,
        rows: ROWS,
        data: (_terminal, bytes) => {
          this.#screen += decoder.decode(bytes, { stream: true });
        },
      },
    });
    this.exited = this.#child.exited;
  }

  /** Everything that was shown so far, without what moves the cursor and colours. */
  get shown(): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is taken out
    return this.#screen.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r", "");
  }

  /** Waits until something new is shown, and takes it as seen. */
  async sees(text: string): Promise<void> {
    await until(`${JSON.stringify(text)} on the terminal:\n${this.shown}`, () => {
      const at = this.shown.indexOf(text, this.#seen);
      if (at < 0) return false;
      this.#seen = at + text.length;
      return true;
    });
  }

  /** Types a line, and the key that ends it. */
  types(line: string): void {
    this.press(`${line}\r`);
  }

  press(keys: string): void {
    this.#child.terminal?.write(keys);
  }

  /** Waits for a question and answers it. */
  async answers(question: string, line: string): Promise<void> {
    await this.sees(question);
    this.types(line);
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.exited;
    this.#child.terminal?.close();
  }
}
