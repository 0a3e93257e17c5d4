/** Markdown as the handbook shows it: headings and rows with addresses, links to its own pages. */

import GithubSlugger from "github-slugger";
import MarkdownIt, { type RendererRule, type Token } from "markdown-it";

export type { Token };

/** Rows that are looked for by their first cell: a setting, an error. */
const NAMED_ROW = /^(?:[A-Z]\d{3}|[A-Z]+(?:_[A-Z]+)+|[a-z]+(?:\.[a-zA-Z]+)+)$/;

/** A heading of a page. */
export interface Heading {
  readonly level: number;
  readonly anchor: string;
  readonly title: string;
}

/** A page's Markdown, read. */
export interface Markdown {
  readonly tokens: readonly Token[];
  /** Of all levels, in order. */
  readonly headings: readonly Heading[];
  /** What an address may lead to: headings and rows. */
  readonly anchors: ReadonlySet<string>;
}

/** Where a link or a picture of a page leads to. */
export type LinkTo = (target: string) => string | undefined;

const parser = new MarkdownIt({ html: true });

/** Reads a page; gives headings the anchors that GitHub gives them. */
export function parseMarkdown(text: string): Markdown {
  const tokens = parser.parse(text, {});
  const slugger = new GithubSlugger();
  const headings: Heading[] = [];
  const anchors = new Set<string>();
  const rows: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const title = plainText(tokens[at + 1]);
      const anchor = slugger.slug(title);
      token.attrSet("id", anchor);
      headings.push({ level: Number(token.tag.slice(1)), anchor, title });
      anchors.add(anchor);
    }
    if (token.type === "tr_open" && tokens[at + 1]?.type === "td_open") rows.push(token);
    if (token.type === "td_open" && tokens[at - 1]?.type === "tr_open") {
      const name = rowName(tokens[at + 1]);
      if (name !== undefined && !anchors.has(name)) {
        rows.at(-1)?.attrSet("id", name);
        anchors.add(name);
      }
    }
  }
  return { tokens, headings, anchors };
}

/** Of a first cell that is one name in code. */
function rowName(cell: Token | undefined): string | undefined {
  const [only, ...others] = cell?.children ?? [];
  if (only?.type !== "code_inline" || others.length > 0) return undefined;
  return NAMED_ROW.test(only.content) ? only.content : undefined;
}

/** An attribute of a token; undefined where it has none. */
export function attributeOf(token: Token | undefined, name: string): string | undefined {
  return token?.attrGet(name)?.toString();
}

/** The words of a line without its marks. */
export function plainText(inline: Token | undefined): string {
  return (inline?.children ?? [])
    .map(({ type, content }) => {
      if (/^(text|text_special|code_inline)$/.test(type)) return content;
      return /break$|^html/.test(type) ? " " : "";
    })
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

/** A page's Markdown as HTML. @param linkTo undefined for what the handbook does not have */
export function renderMarkdown(tokens: readonly Token[], linkTo: LinkTo): string {
  const { renderer, utils } = new MarkdownIt({ html: true });
  const escaped = utils.escapeHtml;
  const headingRules: Rules = {
    // The address of the page is the heading's.
    heading_open: ([...all], at, options) =>
      all[at]?.tag === "h1" ? "<h1>" : renderer.renderToken(all, at, options),
    heading_close: (all, at) => {
      const { tag } = all[at] ?? {};
      const anchor = escaped(attributeOf(all[at - 2], "id") ?? "");
      const mark = `<a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a>`;
      return tag === "h1" ? "</h1>\n" : ` ${mark}</${tag}>\n`;
    },
  };
  Object.assign(renderer.rules, headingRules, blockRules(escaped), linkRules(escaped, linkTo));
  return renderer.render([...tokens], parser.options, {});
}

type Rules = Record<string, RendererRule>;

function blockRules(escaped: (text: string) => string): Rules {
  return {
    // Of HTML only a new line within a cell; anything else is a text.
    html_inline: (all, at) =>
      /^<br ?\/?>$/.test(all[at]?.content ?? "") ? "<br>" : escaped(all[at]?.content ?? ""),
    html_block: (all, at) => escaped(all[at]?.content ?? ""),
    text: (all, at) => breakable(escaped(all[at]?.content ?? "")),
    code_inline: (all, at) => `<code>${breakable(escaped(all[at]?.content ?? ""))}</code>`,
    // What is wider than a small screen scrolls by itself, also by keyboard.
    table_open: () => '<div class="table" tabindex="0"><table>\n',
    table_close: () => "</table></div>\n",
    fence: (all, at) => {
      const { info = "", content = "" } = all[at] ?? {};
      const kind = info === "" ? ' class="drawn"' : "";
      return `<pre${kind} tabindex="0"><code>${escaped(content)}</code></pre>\n`;
    },
  };
}

/** An address or a path that is longer than a column may go on in the next line behind its parts. */
function breakable(html: string): string {
  return html.replace(/[^\s<>]{18,}/g, (word) => word.replace(/[/.?=_,]+(?=.)/g, "$&<wbr>"));
}

/** What leads to nothing in the handbook is a text that says where it is. */
function linkRules(escaped: (text: string) => string, linkTo: LinkTo): Rules {
  let end = "</a>";
  return {
    link_open: (all, at) => {
      const target = attributeOf(all[at], "href") ?? "";
      const found = linkTo(target);
      end = found === undefined ? "</span>" : "</a>";
      const place = `${target.replace(/^(\.\.?\/)+/, "")} in the repository`;
      return found === undefined
        ? `<span class="elsewhere" title="${escaped(place)}">`
        : `<a href="${escaped(found)}">`;
    },
    link_close: () => end,
    image: (all, at) => {
      const { content = "" } = all[at] ?? {};
      const source = linkTo(attributeOf(all[at], "src") ?? "") ?? "";
      return `<img src="${escaped(source)}" alt="${escaped(content)}">`;
    },
  };
}
