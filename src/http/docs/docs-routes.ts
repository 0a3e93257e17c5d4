/**
 * The API's own description: `/api/v1/openapi.json`, and a page that shows it. Both work without
 * a network: the page's files are embedded. The OpenAPI plugin would load them from elsewhere by
 * default, and puts its script into the page, which a strict content policy forbids; so the page
 * is ours and only the document is the plugin's.
 */

import { openapi } from "@elysiajs/openapi";
import { Elysia } from "elysia";
import stylePath from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import bundlePath from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { API_PREFIX } from "../request-path.ts";
import type { RouteGroup } from "../route.ts";
import { openApiDocumentation } from "./openapi-document.ts";

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

/** The document, the page and its files. */
export function docsRoutes(groups: readonly RouteGroup[], version: string) {
  const hidden = { detail: { hide: true } };
  return new Elysia()
    .use(
      openapi({
        provider: null,
        specPath: SPEC,
        // Our routes describe themselves; what Elysia could infer of them is less than that.
        exclude: { paths: /.*/ },
        documentation: openApiDocumentation(groups, version),
      }),
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
