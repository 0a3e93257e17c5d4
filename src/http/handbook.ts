/** The handbook at /docs: the documentation as it was built, for readers without an internet. */

import { type PageFiles, type Pages, sendFile } from "./page-file.ts";

const PLACE = "/docs";
const PAGE = "/index.html";
const MISSING = "/404.html";

/** Everything from this origin, no style and no script from a text, no form, nobody's frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/**
 * The pages of the handbook and their files. The same lie on any file server: a page's address is its
 * file's.
 * @param load asked once, with the first request
 */
export function createHandbook(load: () => Promise<PageFiles>): Pages {
  let files: Promise<PageFiles> | undefined;
  return async ({ method, headers }, path) => {
    if (method !== "GET" && method !== "HEAD") return undefined;
    // Links within a page start from its folder, so that has to end with a slash.
    if (path === PLACE) return movedTo("/");
    if (!path.startsWith(`${PLACE}/`)) return undefined;
    files ??= load();
    const found = await files;
    const name = path.slice(PLACE.length);
    const file = found.get(name === "/" ? PAGE : name);
    if (file !== undefined) return sendFile(file, headers, { policy: POLICY });
    const page = `${name.replace(/(\/|\.md)$/, "")}.html`;
    if (found.has(page)) return movedTo(page);
    const missing = found.get(MISSING);
    return missing && sendFile(missing, headers, { policy: POLICY, status: 404 });
  };
}

/** To a page as it is called, from how people type it, or from what its file in the repository is called. */
function movedTo(page: string): Response {
  return new Response(null, { status: 308, headers: { Location: `${PLACE}${page}` } });
}
