/** `/network`: where others reach the gateway, and what its HTTPS is like. */

import { boxRoutes, type OwnsBox } from "../../http/access.ts";
import { success } from "../../http/answers.ts";
import { type Network, NetworkAnswer } from "./schema.ts";

/** @param look tells it as it is now */
export function networkRoutes(look: () => Promise<Network>, ownsBox: OwnsBox) {
  return boxRoutes("admin", "Appliance", ownsBox).get("/network", () => look(), {
    detail: {
      summary: "Get where the gateway is reached, and its HTTPS",
      description: "Addresses with their QR codes, the certificate, and what plain HTTP answers.",
      responses: success(NetworkAnswer),
    },
  });
}
