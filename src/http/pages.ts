/** The files of the web pages: what is no route, asked for by a browser. */

import { type PageFiles, type Pages, sendFile } from "./page-file.ts";
import { isApiPath } from "./request-path.ts";

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
    return file === undefined ? undefined : sendFile(file, headers, { policy: POLICY });
  };
}

function isPage(path: string, headers: Headers): boolean {
  if (path === "/") return true;
  return !path.startsWith(ASSETS) && (headers.get("accept") ?? "").includes("text/html");
}
