/** What a driver's dialects call device commands, status bits and errors, for the line monitor. */

import type { Masked } from "#core/device/trace.ts";
import type { CodePage } from "../shared/codepage.ts";
import { INFORMATION, SERIAL_NUMBERS } from "./connect.ts";
import type { IslDialect } from "./dialect.ts";
import { errorNumberMeaning } from "./error-numbers.ts";
import type { Generation } from "./frame.ts";
import type { StatusTable } from "./status.ts";
import { TemplatePattern } from "./template-pattern.ts";

/** One way in which a command is asked. */
class Row {
  readonly name: string;
  readonly template: string;
  readonly #codePage: CodePage;
  #pattern: TemplatePattern | undefined;

  constructor(name: string, template: string, codePage: CodePage) {
    this.name = name;
    this.template = template;
    this.#codePage = codePage;
  }

  /** Made when its command is first seen: a device is asked few of those that its dialect has. */
  get pattern(): TemplatePattern {
    this.#pattern ??= new TemplatePattern(this.template, this.#codePage);
    return this.#pattern;
  }
}

/** One status bit, in the words of each dialect. */
interface Bit {
  readonly byte: number;
  readonly bit: number;
  readonly texts: Set<string>;
}

/** A request as the dialects know it. */
export interface KnownRequest {
  readonly name: string;
  /** Where passwords stand in its data. */
  readonly secrets: readonly Masked[];
}

/** What is known of the frames of one generation, whichever of the dialects the device speaks. */
export class TraceNames {
  readonly #dialects: readonly IslDialect[];
  readonly #rows = new Map<number, Row[]>();
  readonly #bits: Bit[] = [];

  constructor(dialects: readonly IslDialect[], generation: Generation) {
    this.#dialects = dialects.filter((dialect) => dialect.generation === generation);
    for (const dialect of this.#dialects) {
      const { codePage, identify, actions, statusTable } = dialect;
      const asked: Record<string, { readonly command: number; readonly request: string }> = {
        ...actions,
        information: { ...INFORMATION, request: INFORMATION.data[generation] },
      };
      if (identify.tellsSerialApart) {
        asked.serialNumbers = { ...SERIAL_NUMBERS, request: SERIAL_NUMBERS.data };
      }
      for (const [name, { command, request }] of Object.entries(asked)) {
        const rows = this.#rows.get(command) ?? [];
        this.#rows.set(command, rows);
        if (rows.some((row) => row.template === request)) continue;
        rows.push(new Row(name, request, codePage));
      }
      this.#addBits(statusTable);
    }
  }

  get codePage() {
    return this.#dialects[0]?.codePage ?? "windows-1251";
  }

  /** The name of a command whatever its data; undefined when there is none or more than one. */
  nameOf(command: number): string | undefined {
    const [name, ...more] = new Set(this.#rows.get(command)?.map((row) => row.name));
    return more.length === 0 ? name : undefined;
  }

  /** @returns undefined when the data fits no template that the dialects have for the command */
  request(command: number, data: Uint8Array): KnownRequest | undefined {
    const text = Buffer.from(data).toString("latin1");
    let name: string | undefined;
    let weight = Number.NEGATIVE_INFINITY;
    let secrets: readonly Masked[] = [];
    for (const row of this.#rows.get(command) ?? []) {
      const found = row.pattern.secretsIn(text);
      if (found === undefined) continue;
      // A password in any reading of the data is one.
      if (found.length > secrets.length) secrets = found;
      if (row.pattern.weight <= weight) continue;
      weight = row.pattern.weight;
      name = row.name;
    }
    return name === undefined ? undefined : { name, secrets };
  }

  /** What the status bytes of an answer say; bits that the dialects read differently in all words. */
  statusWords(status: Uint8Array): string[] {
    return this.#bits
      .filter(({ byte, bit }) => (((status[byte] ?? 0) >> bit) & 1) === 1)
      .map(({ texts }) => [...texts].join(" or "));
  }

  /** The error that an answer tells by a number; undefined when it tells none. */
  errorWords(data: Uint8Array, status: Uint8Array): string | undefined {
    if (this.#dialects.every((dialect) => dialect.numbersErrors)) {
      const number = /^-\d{1,9}/.exec(Buffer.from(data.subarray(0, 12)).toString("latin1"))?.[0];
      return number && `error ${number}: ${errorNumberMeaning(Number(number)).text}`;
    }
    const numbers = this.#dialects.find((dialect) => dialect.errorNumbers)?.errorNumbers;
    const number = numbers === undefined ? 0 : (status[numbers.byte] ?? 0) & 0x7f;
    if (number === 0) return undefined;
    return `error ${number}: ${numbers?.meanings.get(number)?.text ?? "refused"}`;
  }

  #addBits(table: StatusTable): void {
    for (const { byte, bit, text, flag } of table) {
      // Every device in a shop is, so that it would only stand in the way.
      if (flag === "fiscalized") continue;
      const known = this.#bits.find((row) => row.byte === byte && row.bit === bit);
      if (known) known.texts.add(text);
      else this.#bits.push({ byte, bit, texts: new Set([text]) });
    }
  }
}
