/** What the gateway tells of a date. */

import type { Body } from "../../api/queries.ts";

/** A printer on a date. */
export type DeviceDate = Body<"/api/v1/reports/daily">["devices"][number];
/** What a Z report closed, or, without one, what was printed behind the last. */
export type FiscalDay = DeviceDate["fiscalDays"][number];
/** A report as it is stored. */
export type Report = Body<"/api/v1/reports/{reportId}">["report"];
