/** The files of the web pages: what is no route, asked for by a browser. */

import { isApiPath } from "./request-path.ts";

/** A file as it was compressed when it was built. */
export interface PageFile {
  /** With the character set where it is text. */
  readonly contentType: string;
  /** In quotes; another for other content. */
  readonly etag: string;
  /** True where the name changes with the content, so that whoever has it need not ask again. */
  readonly isHashed: boolean;
  /** Paths of the compressed content, or those that the bundler embedded. */
  readonly gzip: string;
  readonly brotli: string;
}

/** By the path that they are asked for at; `/index.html` is the page. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** Answers what no route answers; undefined leaves it unanswered. */
export type Pages = (request: Request, path: string) => Promise<Response | undefined>;

const PAGE = "/index.html";
/** Below it stand files only: what is missing there is missing, and no address of a page. */
const ASSETS = "/assets/";

/**
 * Scripts come from this origin alone and none from a text: `require-trusted-types-for` has the
 * browser refuse what would make markup of one, and the page's own policy `default` lets no `<`
 * through. Styles may stand in the page: the component library writes its theme's variables there,
 * and a nonce would make every answer a new one that nobody may keep. Nothing that anybody enters
 * becomes a style.
 */
const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types default",
].join("; ");

/**
 * The pages and their files. An address without a file is the page's own, where a browser opens it:
 * the page knows what to show there.
 * @param load asked once, with the first request
 */
export function createPages(load: () => Promise<PageFiles>): Pages {
  let files: Promise<PageFiles> | undefined;
  return async (request, path) => {
    const { method, headers } = request;
    if ((method !== "GET" && method !== "HEAD") || isApiPath(path)) return undefined;
    files ??= load();
    const found = await files;
    const file = found.get(path) ?? (isPage(path, headers) ? found.get(PAGE) : undefined);
    return file === undefined ? undefined : send(file, headers);
  };
}

function isPage(path: string, headers: Headers): boolean {
  if (path === "/") return true;
  return !path.startsWith(ASSETS) && (headers.get("accept") ?? "").includes("text/html");
}

async function send(file: PageFile, asked: Headers): Promise<Response> {
  const headers = {
    "Content-Type": file.contentType,
    "Cache-Control": file.isHashed ? "public, max-age=31536000, immutable" : "no-cache",
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    ETag: file.etag,
    Vary: "Accept-Encoding",
  };
  if (knows(asked, file.etag)) return new Response(null, { status: 304, headers });
  const encoding = encodingFor(asked);
  if (encoding === undefined) {
    const content = Bun.gunzipSync(await Bun.file(file.gzip).bytes());
    return new Response(content, { headers });
  }
  const content = Bun.file(encoding === "br" ? file.brotli : file.gzip);
  return new Response(content, { headers: { ...headers, "Content-Encoding": encoding } });
}

function knows(asked: Headers, etag: string): boolean {
  const known = (asked.get("if-none-match") ?? "").split(",").map((tag) => tag.trim());
  return known.some((tag) => tag === "*" || tag.replace(/^W\//, "") === etag);
}

/** The smaller first. Browsers take brotli over HTTPS and from their own machine only. */
function encodingFor(asked: Headers): "br" | "gzip" | undefined {
  const taken = new Set(
    (asked.get("accept-encoding") ?? "")
      .split(",")
      .map((part) =>
        part
          .trim()
          .toLowerCase()
          .split(/\s*;\s*q=/),
      )
      .filter(([, weight = "1"]) => Number(weight) > 0)
      .map(([name]) => name),
  );
  if (taken.has("br")) return "br";
  return taken.has("gzip") ? "gzip" : undefined;
}
