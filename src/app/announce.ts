/** Announcing the gateway in its network, where that is on. */

import type { Announcer } from "../lan/announcer.ts";
import type { Https } from "./https.ts";
import type { Foundation } from "./parts.ts";

/** Undefined where it is off: then nothing of it is loaded either. */
export async function announce(
  { config, clock, log }: Pick<Foundation, "config" | "clock" | "log">,
  about: {
    readonly version: string;
    readonly http: { readonly url: string };
    readonly https: Https | undefined;
  },
): Promise<Announcer | undefined> {
  const label = config["mdns.name"];
  if (label === "") return undefined;
  const { Announcer } = await import("../lan/announcer.ts");
  const portOf = (url: string): number => Number(new URL(url).port);
  return new Announcer({
    ...{ label, clock, log },
    about: () => ({
      httpPort: portOf(about.http.url),
      httpsPort: about.https?.target().port,
      version: about.version,
    }),
  });
}
