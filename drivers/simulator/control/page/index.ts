/** The page on the control port, which shows the paper as it comes out, as three embedded files. */

import style from "#drivers/simulator/control/page/page.css" with { type: "text" };
import page from "#drivers/simulator/control/page/page.html" with { type: "text" };
import script from "#drivers/simulator/control/page/page.js" with { type: "text" };

const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; connect-src 'self'; img-src 'self' data:; script-src 'self'; " +
    "style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

const FILES: ReadonlyMap<string, { readonly type: string; readonly text: string }> = new Map([
  ["/", { type: "text/html; charset=utf-8", text: page }],
  ["/page.css", { type: "text/css; charset=utf-8", text: style }],
  ["/page.js", { type: "text/javascript; charset=utf-8", text: script }],
]);

/** The file of the page at this path, if there is one. */
export function pageFile(path: string): Response | undefined {
  const file = FILES.get(path);
  return file && new Response(file.text, { headers: { ...HEADERS, "content-type": file.type } });
}
