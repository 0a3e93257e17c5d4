/** What cases came to, counted by device, and those whose outcome was not the truth. */

import { errorText } from "../../platform/thrown.ts";
import { type CrashModel, nameOf } from "./models.ts";
import type { Verdict } from "./truth.ts";

/** Counts of one device. */
export interface Counts {
  cases: number;
  printed: number;
  /** Of the printed ones, those the gateway found out by reading the device. */
  recovered: number;
  notPrinted: number;
  unknown: number;
  /** Why they are, one for each. */
  readonly reasons: string[];
  readonly failures: string[];
}

export class Tally {
  readonly #counts = new Map<string, Counts>();

  /** Counts of a device. */
  of(model: CrashModel): Counts {
    const name = nameOf(model);
    const found = this.#counts.get(name) ?? {
      cases: 0,
      printed: 0,
      recovered: 0,
      notPrinted: 0,
      unknown: 0,
      reasons: [],
      failures: [],
    };
    this.#counts.set(name, found);
    return found;
  }

  count(model: CrashModel, { outcome, recovered, reason, isShared }: Verdict): void {
    const counts = this.of(model);
    counts.cases += 1;
    if (recovered) counts.recovered += 1;
    if (outcome === "printed") counts.printed += 1;
    else if (outcome === "not_printed") counts.notPrinted += 1;
    else counts.unknown += 1;
    if (reason === undefined) return;
    counts.reasons.push(reason);
    // Where nobody else was at the device, most protocols can always tell.
    if (!isShared && !model.cannotTell?.includes(reason))
      counts.failures.push(`unknown: ${reason}`);
  }

  /** A case whose outcome was not the truth, or that did not come to an end. */
  fail(model: CrashModel, error: unknown): void {
    const counts = this.of(model);
    counts.cases += 1;
    counts.failures.push(errorText(error));
  }

  /** Of all devices. */
  get cases(): number {
    return [...this.#counts.values()].reduce((sum, { cases }) => sum + cases, 0);
  }

  get failures(): readonly string[] {
    return [...this.#counts].flatMap(([name, { failures }]) =>
      failures.map((failure) => `${name}: ${failure}`),
    );
  }

  /** Why outcomes are unknown: each reason once, whatever its numbers, and how often. */
  get reasons(): readonly string[] {
    return [...this.#counts].flatMap(([name, { reasons }]) => {
      const alike = reasons.map((reason) => reason.replace(/\d+/g, "#"));
      return [...new Set(alike)].map((reason) => {
        const times = alike.filter((one) => one === reason).length;
        return `${name}: ${times} times unknown: ${reason}`;
      });
    });
  }

  /** One line for each device, and the sum. */
  table(): string {
    const rows = [...this.#counts].map(([name, counts]) => [name, ...cellsOf(counts)]);
    const sums = rows[0]?.slice(1).map((_, column) => {
      return String(rows.reduce((sum, row) => sum + Number(row[column + 1]), 0));
    });
    const head = ["", "cases", "printed", "recovered", "not printed", "unknown", "wrong"];
    const lines = [head, ...rows, ["all", ...(sums ?? [])]];
    const widths = head.map((_, column) =>
      Math.max(...lines.map((line) => line[column]?.length ?? 0)),
    );
    return lines
      .map((line) =>
        line
          .map((cell, column) => {
            const width = widths[column] ?? 0;
            return column === 0 ? cell.padEnd(width) : cell.padStart(width);
          })
          .join("  "),
      )
      .join("\n");
  }
}

function cellsOf(counts: Counts): string[] {
  const { cases, printed, recovered, notPrinted, unknown, failures } = counts;
  return [cases, printed, recovered, notPrinted, unknown, failures.length].map(String);
}
