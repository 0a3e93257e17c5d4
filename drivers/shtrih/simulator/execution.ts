/** Carries out the commands of the simulated device, whichever way they came in. */

import type { DeviceMemory } from "../../simulator/books/memory.ts";
import { COMMANDS, type CommandRow } from "./commands.ts";
import { Parameters, Refused, refused, switchedOn, type VolatileState } from "./device-command.ts";
import type { ShtrihModel } from "./model.ts";
import { ERROR } from "./refusal-bytes.ts";
import { isDocumentMode, modeOf } from "./status.ts";

const PASSWORD_BYTES = 4;
const ADMINISTRATORS_FROM = 29;

export class Execution {
  readonly #memory: DeviceMemory;
  readonly #model: ShtrihModel;
  #volatile: VolatileState = switchedOn();

  constructor(memory: DeviceMemory, model: ShtrihModel) {
    this.#memory = memory;
    this.#model = model;
  }

  /** The power was off. */
  forget(): void {
    this.#volatile = switchedOn();
  }

  /**
   * Carries out a command and gives the body of the answer.
   * @param executed as in `LineEvent`
   */
  answerTo(body: Uint8Array, executed: () => void): Uint8Array {
    const isLong = body[0] === 0xff || body[0] === 0xfe;
    const code = body.subarray(0, isLong ? 2 : 1);
    const answer = this.#carryOut(isLong ? -1 : (body[0] ?? 0), body.subarray(code.length));
    executed();
    const { paper, printingWaits } = this.#memory.books.conditions;
    if (paper === "out" && printingWaits) this.#volatile.unfinished = true;
    const told = new Uint8Array(code.length + answer.length);
    told.set(code);
    told.set(answer, code.length);
    return told;
  }

  /** Error byte and data. */
  #carryOut(code: number, rest: Uint8Array): readonly number[] {
    const row = COMMANDS.get(code);
    try {
      if (!row || (row.needs && !this.#model.has[row.needs])) throw refused("unknown_command");
      if (this.#memory.isRefusing) throw refused("syntax");
      const operator = row.password === "none" ? 0 : this.#identify(row, rest);
      if (row.prints || row.ends) this.#requireIdle();
      if (row.prints) this.#requirePaper();
      const mode = modeOf(this.#memory, this.#volatile);
      const data = row.run({
        memory: this.#memory,
        model: this.#model,
        volatile: this.#volatile,
        operator,
        parameters: new Parameters(rest.subarray(operator === 0 ? 0 : PASSWORD_BYTES)),
      });
      if (row.ends) this.#print(row.ends, mode);
      if (this.#memory.isDenying) throw refused("syntax");
      return row.tellsOperator ? [0, operator, ...data] : [0, ...data];
    } catch (error) {
      if (error instanceof Refused) return [error.errorByte];
      throw error;
    }
  }

  /** The operator that a password belongs to. @throws Refused */
  #identify({ password }: CommandRow, rest: Uint8Array): number {
    const given = String(new Parameters(rest).integer(PASSWORD_BYTES));
    const { operators } = this.#memory.books;
    const operator = operators.findIndex((one) => one.password === given) + 1;
    const isEnough = password === "operator" || operator >= ADMINISTRATORS_FROM;
    if (operator === 0 || !isEnough) throw new Refused(ERROR.wrongPassword);
    return operator;
  }

  #requireIdle(): void {
    const { printing } = this.#volatile;
    if (printing && this.#memory.now() < printing.until) throw new Refused(ERROR.stillPrinting);
    this.#volatile.printing = undefined;
  }

  /** @param mode as it was before */
  #print(what: "document" | "report", mode: number): void {
    const { printsMs } = this.#model;
    if (printsMs === 0) return;
    this.#volatile.printing = {
      until: this.#memory.now() + printsMs,
      isReport: what === "report",
      mode: isDocumentMode(mode) ? mode : undefined,
    };
  }

  #requirePaper(): void {
    const { paper, cover } = this.#memory.books.conditions;
    if (paper === "out" || cover === "open") throw refused("paper_out");
    if (this.#volatile.unfinished) throw new Refused(ERROR.waitsForContinue);
  }
}
