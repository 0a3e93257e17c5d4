/** Where a printer is reached, as one would say it. */

import type { components } from "../../client/index.ts";

/** `192.168.1.50:4999`, or the port's path. */
export function addressText(params: components["schemas"]["Device"]["connectionParams"]): string {
  return "host" in params ? `${params.host}:${params.port}` : params.address;
}
