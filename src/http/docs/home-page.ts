/** The page at `/`: what answers here, for whoever opens the gateway's address in a browser. */

import { API_PREFIX } from "../request-path.ts";

/** It loads nothing and runs nothing. */
export const HOME_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

export const HOME_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>fiscald</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem }
</style>
</head>
<body>
<h1>fiscald</h1>
<p>This is a fiscal device gateway: tills send it the receipts that the shop's fiscal printers
print. It is run by the shop, and takes JSON over HTTP.</p>
<ul>
<li><a href="${API_PREFIX}/docs">The API: every route, to read and to try</a></li>
<li><a href="${API_PREFIX}/openapi.json">The same as an OpenAPI document</a></li>
<li><a href="/health">What works now and what does not</a></li>
</ul>
</body>
</html>
`;
