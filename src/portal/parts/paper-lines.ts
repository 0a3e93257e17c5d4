/** Lines of a paper and how they are laid out in columns. */

/** One line, or as many as its text needs. */
export type PaperLine =
  | { readonly kind: "left" | "center"; readonly text: string; readonly isStrong?: boolean }
  /** A word to the left and a figure to the right. */
  | {
      readonly kind: "pair";
      readonly left: string;
      readonly right: string;
      readonly isStrong?: boolean;
    }
  /** As it is, blanks in front included, and cut where the paper ends. */
  | { readonly kind: "exact"; readonly text: string }
  | { readonly kind: "rule" }
  | { readonly kind: "space" };

/** A line as wide as the paper. */
export interface LaidOutLine {
  readonly text: string;
  readonly isStrong: boolean;
}

/** Breaks and fills the lines. @param columns characters of a line, at least 16 */
export function layOut(lines: readonly PaperLine[], columns: number): LaidOutLine[] {
  return lines.flatMap((line) => {
    switch (line.kind) {
      case "rule":
        return [{ text: "-".repeat(columns), isStrong: false }];
      case "exact":
        return [{ text: line.text.slice(0, columns), isStrong: false }];
      case "space":
        return [{ text: "", isStrong: false }];
      case "pair":
        return pair(line, columns);
      default: {
        const { kind, text, isStrong = false } = line;
        return broken(text, columns).map((part) => ({
          text: kind === "center" ? centred(part, columns) : part,
          isStrong,
        }));
      }
    }
  });
}

/** The figure stands on the last line of the word. */
function pair(
  { left, right, isStrong = false }: Extract<PaperLine, { kind: "pair" }>,
  columns: number,
): LaidOutLine[] {
  const room = Math.max(8, columns - right.length - 1);
  const parts = broken(left, room);
  return parts.map((part, at) => ({
    text: at === parts.length - 1 ? part.padEnd(columns - right.length) + right : part,
    isStrong,
  }));
}

function centred(text: string, columns: number): string {
  return " ".repeat(Math.floor((columns - text.length) / 2)) + text;
}

/** At spaces where there are some, else wherever the line ends. */
function broken(text: string, columns: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > columns) {
    const space = rest.lastIndexOf(" ", columns);
    const end = space > 0 ? space : columns;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...parts, rest];
}
