/**
 * The titles of the tests in a file, as they are written there.
 *
 * Reads the text and runs nothing. It leans on the formatter, which the gate enforces: a call begins
 * its line, what it encloses is indented deeper, and a table of `each` ends at the indentation at
 * which the call began.
 */

/** Between the titles of a test and of what encloses it. */
export const WITHIN = " > ";

const CALL = /^( *)(describe|test)((?:\.[a-z]+)*)(?:<[^("]*>)?\(/gim;
/** A text, or an expression that stands in place of one. */
const TITLE = /^\s*(?:"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`|([\w.]+))\s*,/;

interface Enclosing {
  readonly indentation: number;
  readonly title: string;
}

/**
 * Reads a test file.
 * @returns each test as its title behind those of the `describe`s around it. A title with
 *   placeholders (`%s`, `$name`, `${name}`) stands as it is written, a variable as `<its name>`
 * @throws Error with the line of a test whose title cannot be read
 */
export function testTitles(text: string): readonly string[] {
  const around: Enclosing[] = [];
  const tests: string[] = [];
  for (const call of text.matchAll(CALL)) {
    const [whole, spaces = "", kind, modifiers = ""] = call;
    const rest = text.slice(call.index + whole.length);
    const title = titleIn(modifiers.endsWith(".each") ? behindTable(rest, spaces) : rest);
    if (title === undefined) {
      const line = text.slice(0, call.index).split("\n").length;
      throw new Error(`the title of the ${kind} in line ${line} cannot be read`);
    }
    while ((around.at(-1)?.indentation ?? -1) >= spaces.length) around.pop();
    if (kind === "describe") around.push({ indentation: spaces.length, title });
    else tests.push([...around.map((one) => one.title), title].join(WITHIN));
  }
  return tests;
}

/**
 * Reads a test file, to look tests up in it.
 * @returns tells whether there is a test of that name: its titles, or these and in brackets a case
 *   among those that it runs for, as the file has it in quotes
 */
export function testFinder(text: string): (name: string) => boolean {
  const titles = new Set(testTitles(text));
  return (name) => {
    if (titles.has(name)) return true;
    const [, title = "", ofCase = ""] = /^(.+) \[(.+)\]$/.exec(name) ?? [];
    return titles.has(title) && text.includes(`"${ofCase}"`);
  };
}

/** What follows the table of an `each`. */
function behindTable(rest: string, spaces: string): string {
  const line = rest.slice(0, rest.indexOf("\n"));
  const sameLine = /\)\((?=["`]|$)/.exec(line);
  if (sameLine) return rest.slice(sameLine.index + sameLine[0].length);
  const end = new RegExp(`^${spaces}\\S*.*\\)\\(`, "m").exec(rest);
  return end ? rest.slice(end.index + end[0].length) : "";
}

function titleIn(rest: string): string | undefined {
  const [, quoted, template, expression] = TITLE.exec(rest) ?? [];
  if (quoted !== undefined) return JSON.parse(`"${quoted}"`);
  return template ?? (expression && `<${expression}>`);
}
