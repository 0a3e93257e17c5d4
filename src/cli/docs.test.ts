/** That the command lines of the handbook and the README are ones that the program takes. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { createProgram } from "./program.ts";

const ROOT = join(import.meta.dir, "../..");
const PAGES = ["README.md", ...new Bun.Glob("docs/**/*.md").scanSync(ROOT)];
/** To the end of the command: a pipe, the next one, a comment. The user may be called so too. */
const LINE = /(?:^|[\s(/])fiscald (?!fiscald )([a-z][^|;&>)#\n]*)/gm;

/** Each `fiscald ...` in code, a line that goes on with `\` as one. */
function linesOf(page: string): string[] {
  const text = readFileSync(join(ROOT, page), "utf8")
    .replaceAll(/\\\n\s*/g, " ")
    .replaceAll(/(?<=\s)# .*/g, "");
  const code = [...text.matchAll(/```[^\n]*\n([\s\S]*?)```|`([^`\n]+)`/g)];
  return code.flatMap(([, block, span]) =>
    [...(block ?? span ?? "").matchAll(LINE)].map(([, words = ""]) => words),
  );
}

/** What is wrong with a line; undefined when nothing is. */
async function faultOf(line: string): Promise<string | undefined> {
  const words = line.trim().split(/\s+/);
  const program = await createProgram(words);
  let command: Command | undefined = program.commands.find((one) => one.name() === words[0]);
  if (command === undefined) return `no command ${words[0]}`;
  const sub = command.commands.find((one) => one.name() === words[1]);
  const isPlaceholder = words[1] === undefined || !/^[a-z]/.test(words[1]);
  if (command.commands.length > 0 && sub === undefined && !isPlaceholder) {
    return `no command ${words[0]} ${words[1]}`;
  }
  command = sub ?? command;
  const known = new Set(command.options.map(({ long }) => long));
  const strange = words
    .map((word) => word.split("=")[0] ?? "")
    .find((word) => word.startsWith("--") && word !== "--help" && !known.has(word));
  return strange && `${strange} is none of fiscald ${words[0]}`;
}

test("every command line of the handbook is one that the program takes", async () => {
  const pageOf = new Map(PAGES.flatMap((page) => linesOf(page).map((line) => [line, page])));
  const faults: string[] = [];
  for (const [line, page] of pageOf) {
    const fault = await faultOf(line);
    if (fault !== undefined) faults.push(`${page}: fiscald ${line}: ${fault}`);
  }
  expect(faults).toEqual([]);
  expect(pageOf.size).toBeGreaterThan(100);
  expect(await faultOf("status --bogus")).toBe("--bogus is none of fiscald status");
  expect(await faultOf("command bogus")).toBe("no command command bogus");
});
