/** The lines of a shell snippet that call fiscald, as the words that it would get. */

/** What ends a command, or begins what is none of its words. */
const ENDS = new Set(["|", "&", ";", "&&", "||", ">", "<", "2>", ">>", "#"]);

/** Words before the command itself: who it runs as, where it lies, what it gets as its environment. */
const BEFORE = /^(?:sudo|-u|fiscald|\$|\w+=.*)$/;

/** A shell's words of one line: quotes as a shell has them, nothing replaced; `<id>` stands for a word. */
export function shellWords(line: string): string[] {
  const pattern =
    /(?:<[a-z][\w-]*>|[^\s"'|&;<>]|"(?:\\.|[^"\\])*"|'[^']*')+|\|\||&&|2>|>>|[|&;<>]/g;
  return (line.match(pattern) ?? []).map((word) =>
    word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  );
}

/**
 * Every call of fiscald in a shell text, as the words behind its name.
 * `sudo -u fiscald fiscald status --json | jq .` is `["status", "--json"]`.
 */
export function fiscaldCalls(text: string): string[][] {
  const lines = text.replace(/\\\n\s*/g, " ").split("\n");
  return lines.flatMap((line) => commandsOf(line).flatMap(callOf));
}

function commandsOf(line: string): string[][] {
  const commands: string[][] = [[]];
  let isRest = false;
  for (const word of shellWords(line)) {
    if (word.startsWith("#")) break;
    if (/^(?:\||&|;|&&|\|\|)$/.test(word)) {
      commands.push([]);
      isRest = false;
    } else if (ENDS.has(word)) isRest = true;
    else if (!isRest) commands.at(-1)?.push(word);
  }
  return commands;
}

function callOf(words: readonly string[]): string[][] {
  const at = words.findLastIndex((word, index) => {
    const isName = word === "fiscald" || word === "dist/fiscald";
    return isName && words.slice(0, index).every((before) => BEFORE.test(before));
  });
  return at === -1 ? [] : [words.slice(at + 1)];
}
