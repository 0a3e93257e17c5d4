/** How webhooks are reached, by the settings, and what is on its way to them. */

import { accessSync, constants } from "node:fs";
import type { Config } from "../config.ts";
import { createToEnvelope } from "../events/envelope.ts";
import type { WebhookServiceOptions } from "../modules/webhooks/service.ts";
import type { Log } from "../platform/log.ts";
import { machineNames } from "../platform/machine-names.ts";
import { VERSION } from "../version.ts";
import { type Attempt, createAttempt } from "../webhooks/attempt.ts";
import { createDeliveries, type Deliveries } from "../webhooks/deliveries.ts";
import { createEndpoints } from "../webhooks/endpoint.ts";
import { createTrust } from "../webhooks/trust.ts";
import { createEventRecords } from "./event-records.ts";
import type { Foundation } from "./parts.ts";

/** What the module of webhooks does outside, and what else there is to start and to stop. */
export interface Webhooks extends Pick<WebhookServiceOptions, "endpointFault"> {
  readonly attempt: Attempt;
  readonly deliveries: Deliveries;
}

export interface WebhooksOptions
  extends Pick<Foundation, "stores" | "writer" | "clock" | "time" | "random" | "log" | "bus"> {
  readonly config: Pick<
    Config,
    "webhooks.maxAttempts" | "webhooks.allowPrivate" | "webhooks.allowLoopback" | "webhooks.caFile"
  >;
  /** All addresses of a name; by the machine's resolver unless given. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
}

/** Makes it. Deliveries are made from now on; those that were left wait for `deliveries.start`. */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { config, clock, stores } = options;
  const endpoints = createEndpoints({
    allowPrivate: config["webhooks.allowPrivate"],
    allowLoopback: config["webhooks.allowLoopback"],
    clock,
    lookup: options.lookup ?? addressesOfName,
    ownAddresses: () => machineNames().addresses,
  });
  const attempt = createAttempt({
    ...{ clock, endpoints, trust: createTrust(config["webhooks.caFile"]), version: VERSION },
  });
  const deliveries = createDeliveries({
    ...options,
    ...{ attempt, maxAttempts: config["webhooks.maxAttempts"] },
    toEnvelope: createToEnvelope(createEventRecords(stores)),
  });
  return { endpointFault: (url) => endpoints.faultOf(url), attempt, deliveries };
}

/** Says at the start what would otherwise fail each delivery. */
export function checkCaFile(config: Pick<Config, "webhooks.caFile">, log: Log): void {
  const file = config["webhooks.caFile"];
  if (file === "") return;
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    log.warn("webhooks.caFile cannot be read: no webhook will be delivered", { file, error });
  }
}

async function addressesOfName(name: string): Promise<readonly string[]> {
  const { lookup } = await import("node:dns/promises");
  return (await lookup(name, { all: true })).map(({ address }) => address);
}
