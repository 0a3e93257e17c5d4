/** The process of the simulated printers, as the gateway sees it: started, asked, and ended. */

import { join } from "node:path";
import { PrinterRefusal } from "#core/device/simulated.ts";
import { isCompiled } from "../../platform/engine.ts";
import { lineReader, type Question, type Reply, SIMULATED_PRINTERS } from "./messages.ts";

/** A process that has not answered for so long is broken: it is killed, and the next one asked. */
const ANSWER_MS = 30_000;
/** How long it may take to end. */
const END_MS = 2_000;

/** It has ended, or cannot be started. */
export class PrintersDown extends Error {
  override readonly name = "PrintersDown";
}

export interface ChildOptions {
  readonly folder: string;
  /** It has ended, asked to or not. */
  readonly onEnd: (code: number | null) => void;
}

interface Waiting {
  readonly resolve: (value: string) => void;
  readonly reject: (error: Error) => void;
}

export class PrinterProcess {
  readonly #child: ReturnType<typeof spawnChild>;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #isDown = false;

  constructor({ folder, onEnd }: ChildOptions) {
    this.#child = spawnChild(folder, (reply) => this.#take(reply));
    void this.#child.exited.then(() => {
      this.#fell();
      onEnd(this.#child.exitCode);
    });
  }

  /** True once it answers no more: it has ended, or is about to. */
  get isDown(): boolean {
    return this.#isDown;
  }

  /**
   * Asks, and waits for the answer.
   * @throws PrinterRefusal for what cannot be, PrintersDown when the process ends first, or the
   * error in the process's words
   */
  ask(question: Question): Promise<string> {
    if (this.#isDown) return Promise.reject(down());
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => this.kill(), ANSWER_MS);
      const over = () => {
        clearTimeout(late);
        this.#waiting.delete(id);
      };
      this.#waiting.set(id, {
        resolve: (value) => {
          over();
          resolve(value);
        },
        reject: (error) => {
          over();
          reject(error);
        },
      });
      this.#send(`${JSON.stringify({ ...question, id })}\n`).catch(() => {
        // A process that was killed takes nothing, and may be gone before that is known here.
        this.#fell();
        this.kill();
      });
    });
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Ends it, and waits until it is gone. */
  async stop(): Promise<void> {
    const late = setTimeout(() => this.kill(), END_MS);
    await Promise.resolve(this.#child.stdin.end()).catch(() => undefined);
    await this.#child.exited;
    clearTimeout(late);
  }

  async #send(line: string): Promise<void> {
    await this.#child.stdin.write(line);
    await this.#child.stdin.flush();
  }

  #fell(): void {
    this.#isDown = true;
    for (const { reject } of this.#waiting.values()) reject(down());
    this.#waiting.clear();
  }

  #take(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    if ("value" in reply) waiting?.resolve(reply.value);
    else
      waiting?.reject(reply.isRefusal ? new PrinterRefusal(reply.error) : new Error(reply.error));
  }
}

function down(): PrintersDown {
  return new PrintersDown("The simulated printers fell and are started again; try once more");
}

function spawnChild(folder: string, take: (reply: Reply) => void) {
  const program = isCompiled()
    ? [process.execPath]
    : [process.execPath, join(import.meta.dir, "../../main.ts")];
  const child = Bun.spawn([...program, SIMULATED_PRINTERS, folder], {
    stdin: "pipe",
    stdout: "pipe",
    // What a defect says of itself stands in the gateway's log.
    stderr: "inherit",
  });
  const read = lineReader((line) => take(JSON.parse(line) as Reply));
  void (async () => {
    for await (const chunk of child.stdout) read(chunk);
  })().catch(() => child.kill("SIGKILL"));
  return child;
}
