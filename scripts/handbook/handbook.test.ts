/** The handbook as a whole: what is in it is reachable, and leads somewhere. */

import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import MiniSearch from "minisearch";
import { type Place, SEARCH } from "../../src/handbook/search-options.ts";
import { readContents, UNLISTED } from "./contents.ts";
import { attributeOf, parseMarkdown, renderMarkdown, type Token } from "./markdown.ts";
import { buildSite, readPages, type SiteFiles } from "./site.ts";
import { pageName, ROOT } from "./sources.ts";

let files: SiteFiles;
beforeAll(async () => {
  ({ files } = await buildSite({ isServed: true }));
});

const textOf = (name: string): string => new TextDecoder().decode(files.get(name));
const htmlNames = (): string[] => [...files.keys()].filter((name) => name.endsWith(".html"));

/** Addresses that the gateway itself has, beside the handbook. */
const BESIDE = ["/", "/api/v1/docs", "/docs/"];

interface Linked {
  readonly links: readonly string[];
  readonly anchors: ReadonlySet<string>;
}

function read(html: string): Linked {
  const values = (name: string) =>
    [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value = ""]) => value);
  return { links: [...values("href"), ...values("src")], anchors: new Set(values("id")) };
}

/** What leads nowhere in the handbook's pages. */
function deadLinks(): string[] {
  const pages = new Map(htmlNames().map((name) => [name, read(textOf(name))]));
  return [...pages].flatMap(([name, { links }]) =>
    links
      .filter((link) => !BESIDE.includes(link) && !/^(https?|mailto):/.test(link))
      .filter((link) => {
        const [path = "", anchor] = link.replace(/^\/docs\//, "").split("#");
        if (!files.has(path === "" ? name : path)) return true;
        const page = pages.get(path === "" ? name : path);
        return anchor !== undefined && page?.anchors.has(decodeURIComponent(anchor)) !== true;
      })
      .map((link) => `${name}: ${link}`),
  );
}

function linksOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    const own = attributeOf(token, token.type === "image" ? "src" : "href");
    return [...(own === undefined ? [] : [own]), ...linksOf(token.children ?? [])];
  });
}

/** What leads nowhere among the files of the repository, where they are read as they are. */
function deadFileLinks(): string[] {
  const sources = [...readPages().keys(), "README.md"];
  const parsed = new Map(
    sources.map((path) => [path, parseMarkdown(readFileSync(join(ROOT, path), "utf8"))] as const),
  );
  return [...parsed].flatMap(([source, { tokens }]) =>
    linksOf(tokens)
      .filter((link) => !/^(https?|mailto):/.test(link))
      .filter((link) => {
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? source : posix.join(posix.dirname(source), decodeURI(path));
        if (!existsSync(join(ROOT, target))) return true;
        return (
          anchor !== undefined &&
          parsed.get(target)?.headings.every((heading) => heading.anchor !== anchor) !== false &&
          parsed.get(target)?.anchors.has(anchor) !== true
        );
      })
      .map((link) => `${source}: ${link}`),
  );
}

describe("the handbook", () => {
  test("leads nowhere with no link, anchor or picture", () => {
    expect(htmlNames().length).toBeGreaterThan(30);
    expect(deadLinks()).toEqual([]);
  });

  test("nor do the files that it is made of, in a clone", () => {
    expect(deadFileLinks()).toEqual([]);
  });

  test("lists every page once, by who reads it", () => {
    const chapters = readContents(readPages());
    // docs/README.md is the list.
    expect(chapters.find(({ title }) => title === UNLISTED)?.entries ?? []).toEqual([]);
    const names = chapters.flatMap(({ entries }) => entries.map(({ name }) => name));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    const nav = textOf("tls.html");
    for (const name of names) expect(nav).toMatch(new RegExp(`<li[^>]*><a href="${name}"`));
  });

  test("has no style and no script in a text, as its policy wants it", () => {
    for (const name of htmlNames()) {
      expect(textOf(name)).not.toMatch(/<[^>]+ style=|<style|<script>|<[^>]+ on[a-z]+=/);
    }
  });

  test("leads from a folder of any web server to itself alone", async () => {
    const { files: alone } = await buildSite({ isServed: false });
    for (const [name, content] of alone) {
      if (name.endsWith(".html")) expect(new TextDecoder().decode(content)).not.toContain('="/');
    }
  });
});

describe("what the program says of its documents", () => {
  const sources = [
    ...new Bun.Glob("{src,drivers,db,scripts}/**/*.{ts,tsx}").scanSync({ cwd: ROOT }),
  ]
    .filter((path) => !path.endsWith(".test.ts"))
    .map((path) => [path, readFileSync(join(ROOT, path), "utf8")] as const);

  test("are pages of the handbook", () => {
    const named = sources.flatMap(([path, text]) =>
      [...text.matchAll(/\/docs\/([a-z0-9-]+\.html)/g)].map(
        ([, name = ""]) => [path, name] as const,
      ),
    );
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter(([, name]) => !files.has(name))).toEqual([]);
  });

  test("are files of the repository", () => {
    const named = sources.flatMap(([path, text]) =>
      [...text.matchAll(/(?<!\}\/)\bdocs\/[\w./-]+\.(?:md|json|svg|png)\b/g)].map(
        ([name]) => [path, name] as const,
      ),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(([, name]) => !existsSync(join(ROOT, name)))).toEqual([]);
  });
});

describe("the search", () => {
  const found = (words: string): Place[] => {
    const index = MiniSearch.loadJSON<Place>(textOf("search.json"), SEARCH);
    return index.search(words).map(({ id, title, page, excerpt, weight }) => ({
      ...{ id, title, page, excerpt, weight, text: "" },
    }));
  };

  test.each([
    ["http.listen", "settings.html#http.listen"],
    ["trustproxy", "settings.html#http.trustProxy"],
    ["E306", "errors.html#e306"],
    ["certificate elsewhere", "tls.html#a-certificate-from-elsewhere"],
    ["certifcate elsewhere", "tls.html#a-certificate-from-elsewhere"],
    [
      "where is the certificate that has been from elsewhere",
      "tls.html#a-certificate-from-elsewhere",
    ],
  ])("leads by %p to %s first", (words, id) => {
    expect(found(words)[0]?.id).toBe(id);
  });

  test("leads what stands in no page nowhere", () => {
    expect(found("zebracrossing")).toEqual([]);
  });

  test("comes as little", () => {
    expect(Bun.gzipSync(Buffer.from(textOf("search.json"))).length).toBeLessThan(150_000);
  });
});

describe("Markdown", () => {
  const html = (text: string): string =>
    renderMarkdown(parseMarkdown(text).tokens, (target) =>
      target.startsWith("src/") ? undefined : target.replace(".md", ".html"),
    );

  test("gives a row that begins with a setting or a code an address", () => {
    const { anchors } = parseMarkdown("|a|b|\n|-|-|\n|`http.listen`|x|\n|`E306`|y|\n|`x y`|z|\n");
    expect([...anchors]).toEqual(["http.listen", "E306"]);
  });

  test("gives headings of the same words addresses of their own", () => {
    const { headings } = parseMarkdown("# A\n\n## What's *new*?\n\n## What's new?\n");
    expect(headings.map(({ anchor }) => anchor)).toEqual(["a", "whats-new", "whats-new-1"]);
  });

  test("names a file that the handbook lacks in place of a link to it", () => {
    expect(html("[rules](src/tidy.test.ts) and [more](a.md#b)")).toBe(
      '<p><span class="elsewhere" title="src/tidy.test.ts in the repository">rules</span> and <a href="a.html#b">more</a></p>\n',
    );
  });

  test("shows HTML as a text, but for a new line", () => {
    expect(html("a<br>b <b onclick=x>c</b>")).toBe(
      "<p>a<br>b &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n",
    );
  });

  test("shows nothing of how a snippet is tried", () => {
    expect(html('```sh unrun="needs root"\nx\n```\n')).not.toContain("root");
  });

  test.each([
    ["docs/tls.md", "tls.html"],
    ["docs/README.md", "index.html"],
    ["docs/printers/README.md", "printers.html"],
    ["docs/printers/daisy.md", "printers-daisy.html"],
    ["src/client/README.md", "src-client.html"],
    ["SECURITY.md", "repository-security.html"],
  ])("of %s is the page %s", (source, name) => {
    expect(pageName(source)).toBe(name);
  });
});
