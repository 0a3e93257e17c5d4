/** What the gateway tells of today. */

import type { Body } from "../../api/queries.ts";

/** The answer of `GET /today`. */
export type Today = Body<"/api/v1/today">;
