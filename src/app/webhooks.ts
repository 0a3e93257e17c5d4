/** How webhooks are reached, by the settings. */

import { lookup } from "node:dns/promises";
import { accessSync, constants } from "node:fs";
import type { Config } from "../config.ts";
import type { WebhookServiceOptions } from "../modules/webhooks/service.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { machineNames } from "../platform/machine-names.ts";
import { VERSION } from "../version.ts";
import { createAttempt } from "../webhooks/attempt.ts";
import { createEndpoints } from "../webhooks/endpoint.ts";

/** What the module of webhooks, and whoever delivers events, does outside. */
export type WebhookDelivery = Pick<WebhookServiceOptions, "endpointFault" | "attempt">;

export interface WebhookDeliveryOptions {
  readonly config: Pick<
    Config,
    "webhooks.allowPrivate" | "webhooks.allowLoopback" | "webhooks.caFile"
  >;
  readonly clock: Clock;
  /** All addresses of a name; by the machine's resolver unless given. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
}

/** Makes it. */
export function createWebhookDelivery(options: WebhookDeliveryOptions): WebhookDelivery {
  const { config, clock } = options;
  const endpoints = createEndpoints({
    allowPrivate: config["webhooks.allowPrivate"],
    allowLoopback: config["webhooks.allowLoopback"],
    clock,
    lookup: options.lookup ?? addressesOfName,
    ownAddresses: () => machineNames().addresses,
  });
  return {
    endpointFault: (url) => endpoints.faultOf(url),
    attempt: createAttempt({
      ...{ clock, endpoints, caFile: config["webhooks.caFile"], version: VERSION },
    }),
  };
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
  return (await lookup(name, { all: true })).map(({ address }) => address);
}
