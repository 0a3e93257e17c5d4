/** The snippets of the documentation, and how each says that it is tried: docs/develop.md#snippets. */

import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseMarkdown, type Token } from "./markdown.ts";
import { pageSources, ROOT } from "./sources.ts";

/** A block of a page, with what stands behind its language. */
export interface Snippet {
  /** Path of its page from the root of the repository. */
  readonly source: string;
  /** Line of the page at which it begins. */
  readonly line: number;
  /** Empty for a drawing, or what a program printed. */
  readonly language: string;
  readonly marks: Readonly<Record<string, string>>;
  readonly content: string;
}

/** A piece of code in a line of text. */
export interface InlineCode {
  readonly source: string;
  readonly content: string;
}

/** Every page, and the product's first one, which is no page of the handbook. */
const SOURCES: readonly string[] = ["README.md", ...pageSources()];

const MARK = /([a-z]+)=(?:"([^"]*)"|(\S+))/g;

/** All snippets, in the order of the pages. */
export function readSnippets(): Snippet[] {
  return SOURCES.flatMap((source) =>
    tokensOf(source)
      .filter(({ type }) => type === "fence" || type === "code_block")
      .map((token) => snippetOf(source, token)),
  );
}

/** All code in lines of text. */
export function readInlineCode(): InlineCode[] {
  return SOURCES.flatMap((source) =>
    tokensOf(source)
      .flatMap(({ children }) => children ?? [])
      .filter(({ type }) => type === "code_inline")
      .map(({ content }) => ({ source, content })),
  );
}

function tokensOf(source: string): readonly Token[] {
  return parseMarkdown(readFileSync(join(ROOT, source), "utf8")).tokens;
}

function snippetOf(source: string, { info, content, map }: Token): Snippet {
  const [language = ""] = info.split(" ");
  const marks = [...info.matchAll(MARK)].map(([, name = "", quoted, bare]) => [
    name,
    quoted ?? bare ?? "",
  ]);
  const line = (map?.[0] ?? 0) + 1;
  return { source, line, language, content, marks: Object.fromEntries(marks) };
}

/** Where a snippet stands, for messages. */
export function placeOf({ source, line }: Snippet): string {
  return `${source}:${line}`;
}

/** What a kind of snippet says of how it is tried: one of these marks; none where it need not. */
const MARKS_OF: Readonly<Record<string, readonly string[]>> = {
  // A drawing, or what a program printed.
  "": [],
  sh: ["run", "by", "unrun"],
  ts: ["run", "by", "unrun"],
  json: ["body", "answer", "schema", "by"],
  // Read as settings.
  toml: [],
  // Read as what they are.
  yaml: [],
};
const OTHERS: readonly string[] = ["by", "unrun"];
/** What may stand beside one of them. */
const FURTHER: readonly string[] = ["says", "needs", "ends"];

/** A command that a drawing must not hide from the tests. */
const COMMAND = /^\s*(?:sudo |fiscald |dist\/fiscald |curl |bun |npx )/m;

/** What is wrong with how a snippet says that it is tried; undefined when nothing is. */
export function markFault(snippet: Snippet): string | undefined {
  const { language, marks, content } = snippet;
  const known = MARKS_OF[language] ?? OTHERS;
  const given = Object.keys(marks).filter((name) => !FURTHER.includes(name));
  const unknown = given.find((name) => !known.includes(name));
  if (unknown !== undefined) return `${placeOf(snippet)}: ${unknown}= says nothing of ${language}`;
  if (language === "" && COMMAND.test(content)) {
    return `${placeOf(snippet)}: commands are a block of \`sh\`, and say how they are tried`;
  }
  if (known.length > 0 && given.length !== 1) {
    return `${placeOf(snippet)}: say how it is tried, by one of ${known.join("=, ")}=`;
  }
  return marks.by === undefined ? undefined : testFault(snippet, marks.by);
}

/** The test that tries it names its page, or a file beside it. */
function testFault(snippet: Snippet, path: string): string | undefined {
  const file = join(ROOT, path);
  if (!path.endsWith(".test.ts") || !existsSync(file)) {
    return `${placeOf(snippet)}: there is no test ${path}`;
  }
  const { source } = snippet;
  const folder = source.slice(0, source.lastIndexOf("/"));
  const names = basename(source) === "README.md" ? [source, folder] : [basename(source)];
  return names.some((name) => readFileSync(file, "utf8").includes(name))
    ? undefined
    : `${placeOf(snippet)}: ${path} does not name the page`;
}
