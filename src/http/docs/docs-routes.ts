/** The API's own description: `/api/v1/openapi.json`, and the page that shows it. Offline too. */

import { Elysia } from "elysia";
import stylePath from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import bundlePath from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { API_PREFIX } from "../request-path.ts";

const DOCS = `${API_PREFIX}/docs`;
const SPEC = `${API_PREFIX}/openapi.json`;
const ASSET_HEADERS = { "Cache-Control": "public, max-age=86400" };

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fiscal device gateway API</title>
<link rel="stylesheet" href="${DOCS}/assets/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="${DOCS}/assets/swagger-ui-bundle.js"></script>
<script src="${DOCS}/assets/show.js"></script>
</body>
</html>
`;

const SHOW_SCRIPT = `SwaggerUIBundle({ url: "${SPEC}", dom_id: "#api", validatorUrl: null });\n`;

/** Swagger UI sets styles on elements and shows its icons as data URLs. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/**
 * The document, the page and its files.
 * @param document asked for once, when all routes are known
 */
export function docsRoutes(document: () => unknown) {
  const hidden = { detail: { hide: true } };
  let spec: string | undefined;
  return new Elysia()
    .get(
      SPEC,
      () => {
        spec ??= JSON.stringify(document());
        return send(spec, "application/json; charset=utf-8", {});
      },
      hidden,
    )
    .get(
      DOCS,
      () => send(PAGE, "text/html; charset=utf-8", { "Content-Security-Policy": POLICY }),
      hidden,
    )
    .get(
      `${DOCS}/assets/show.js`,
      () => send(SHOW_SCRIPT, "text/javascript; charset=utf-8"),
      hidden,
    )
    .get(
      `${DOCS}/assets/swagger-ui-bundle.js`,
      () => send(Bun.file(bundlePath), "text/javascript; charset=utf-8"),
      hidden,
    )
    .get(
      `${DOCS}/assets/swagger-ui.css`,
      () => send(Bun.file(stylePath), "text/css; charset=utf-8"),
      hidden,
    );
}

function send(
  content: string | Blob,
  contentType: string,
  headers: Record<string, string> = ASSET_HEADERS,
): Response {
  return new Response(content, {
    headers: { "Content-Type": contentType, "X-Content-Type-Options": "nosniff", ...headers },
  });
}
