/** What `/metrics` tells: read when it is asked for, from what is there anyway. */

import { readdirSync, statfsSync, statSync } from "node:fs";
import type { GatewayEvent } from "#core/events.ts";
import type { Device } from "#db/stores/devices.ts";
import { stateFiles } from "../config/state-files.ts";
import type { EventBus } from "../events/bus.ts";
import type { RequestCounts } from "../http/request-counts.ts";
import { alertsOf, type DeviceLive } from "../modules/devices/device-state.ts";
import type { HealthChecks } from "../modules/health/routes.ts";
import type { Distribution, Metric, Sample } from "../modules/metrics/exposition.ts";
import type { Https } from "./https.ts";
import type { Foundation } from "./parts.ts";
import { readOnce } from "./shop-health.ts";

/** Upper bounds of how long commands take, in seconds: a receipt's usual one and the limits. */
const COMMAND_SECONDS = [0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120, 180, 600] as const;
const MS = 1_000;
const CHECK_STATES = { ok: 0, degraded: 1, failed: 2 } as const;

export interface MetricParts {
  readonly version: string;
  readonly uptimeSeconds: () => number;
  readonly checks: () => HealthChecks;
  readonly live: DeviceLive;
  readonly controllers: { readonly size: number };
  readonly https: Https | undefined;
  readonly ended: CommandEnds;
  readonly requests: RequestCounts;
}

/** How commands ended since the process started: one look-up and two additions for each. */
export class CommandEnds {
  readonly #counts = new Map<string, { readonly labels: Labels; count: number }>();
  readonly #spread = new Array<number>(COMMAND_SECONDS.length + 1).fill(0);
  #sum = 0;

  constructor(bus: EventBus) {
    bus.subscribe(({ event }) => {
      // Told once of each; what a person says of it later is a change, and no other end.
      if (!isEnd(event)) return;
      const { deviceId: device, type, status, createdAt, finishedAt } = event.command;
      const key = `${device} ${type} ${status}`;
      const found = this.#counts.get(key) ?? { labels: { device, type, status }, count: 0 };
      found.count += 1;
      this.#counts.set(key, found);
      // A clock that was set meanwhile.
      const seconds = Math.max(0, (finishedAt ?? createdAt) - createdAt) / MS;
      const index = COMMAND_SECONDS.findIndex((bound) => seconds <= bound);
      const bucket = index === -1 ? COMMAND_SECONDS.length : index;
      this.#spread[bucket] = (this.#spread[bucket] ?? 0) + 1;
      this.#sum += seconds;
    });
  }

  samples(isShown: (deviceId: string) => boolean): Sample[] {
    const shown = [...this.#counts.values()].filter(({ labels }) => isShown(labels.device));
    return shown.map(({ labels, count }) => ({ labels, value: count }));
  }

  distribution(): Distribution {
    return {
      ...{ name: "fiscald_command_seconds", kind: "histogram", bounds: COMMAND_SECONDS },
      help: "From the acceptance of a command to its end, since the start",
      ...{ counts: [...this.#spread], sum: this.#sum },
    };
  }
}

type End = Extract<GatewayEvent, { readonly command: unknown }>;

function isEnd(event: GatewayEvent): event is End {
  return (
    event.type === "command.completed" ||
    event.type === "command.failed" ||
    event.type === "command.timeout"
  );
}

type Labels = { readonly device: string; readonly type: string; readonly status: string };

/**
 * Tells the figures: of all for the machine itself, of its own devices for an organization, and of the
 * machine and the process besides for the one that the box belongs to.
 * @param orgId of whose devices; of all unless given
 */
export function gatherMetrics(
  foundation: Foundation,
  parts: MetricParts,
  orgId: string | undefined,
): (Metric | Distribution)[] {
  const { stores } = foundation;
  const devices = orgId === undefined ? stores.devices.listAll() : stores.devices.list(orgId);
  const ids = new Set(devices.map(({ id }) => id));
  const isAll = orgId === undefined;
  const isOfBox = isAll || stores.organizations.isFirst(orgId);
  return [
    ...(isOfBox ? ofGateway(foundation, parts) : []),
    ...ofDevices(foundation, parts, devices),
    {
      ...{ name: "fiscald_commands_ended_total", kind: "counter" },
      help: "Commands that ended, since the start",
      samples: parts.ended.samples((deviceId) => isAll || ids.has(deviceId)),
    },
    ...(isAll ? [parts.ended.distribution(), ...ofRequests(parts.requests)] : []),
    ...(isOfBox ? ofProcess(foundation, parts) : []),
  ];
}

function gauge(name: string, help: string, samples: readonly Sample[] | number): Metric {
  const list = typeof samples === "number" ? [{ value: samples }] : samples;
  return { name, kind: "gauge", help, samples: list };
}

function ofGateway({ config, stores }: Foundation, parts: MetricParts): Metric[] {
  const checks = Object.entries(parts.checks());
  const stateDir = config["state.dir"];
  const { bavail, bsize } = statfsSync(stateDir);
  const { database } = stateFiles(stateDir);
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const certificate = parts.https?.certificate();
  return [
    gauge("fiscald_info", "The version that runs", [
      { labels: { version: parts.version }, value: 1 },
    ]),
    gauge(
      "fiscald_check_state",
      "Checks of /health: 0 ok, 1 degraded, 2 failed",
      checks.map(([check, { status }]) => ({ labels: { check }, value: CHECK_STATES[status] })),
    ),
    gauge(
      "fiscald_commands_waiting",
      "Commands that are not final",
      stores.commands.countUnfinished(),
    ),
    gauge(
      "fiscald_controllers_connected",
      "Controllers that are connected",
      parts.controllers.size,
    ),
    gauge("fiscald_disk_free_bytes", "Room on the disk of the state directory", bavail * bsize),
    gauge(
      "fiscald_database_bytes",
      "Size of the database with its log",
      sizeOf(database) + sizeOf(`${database}-wal`),
    ),
    ...(certificate === undefined
      ? []
      : [
          gauge(
            "fiscald_certificate_end_seconds",
            "When the certificate of HTTPS ends, as Unix time",
            certificate.notAfter / MS,
          ),
        ]),
  ];
}

function ofDevices(
  { stores: all, clock }: Foundation,
  { live }: MetricParts,
  devices: readonly Device[],
): Metric[] {
  const stores = readOnce(all);
  const of = (figureOf: (device: Device) => number): Sample[] =>
    devices.map((device) => ({ labels: { device: device.id }, value: figureOf(device) }));
  const now = clock.now();
  return [
    gauge(
      "fiscald_device_link_up",
      "1 while the device answers its controller",
      of(({ id }) => (live.connectivity(id).linkUp ? 1 : 0)),
    ),
    gauge(
      "fiscald_device_commands_waiting",
      "Commands that wait for their turn on the device",
      of(({ id }) => stores.commands.countPending(id)),
    ),
    gauge(
      "fiscald_device_oldest_command_seconds",
      "Age of the oldest command of the device that is not final; 0 without one",
      of(({ id }) => {
        const [oldest] = stores.commands.listUnfinished({ deviceId: id, limit: 1 });
        return oldest === undefined ? 0 : Math.max(0, now - oldest.createdAt) / MS;
      }),
    ),
    gauge(
      "fiscald_device_alert",
      "1 for each alert that stands at the device",
      devices.flatMap((device) => {
        const alerts = alertsOf({ stores, clock, live }, device);
        const kinds = new Map(alerts.map(({ type, severity }) => [type, severity]));
        return [...kinds].map(([type, severity]) => ({
          labels: { device: device.id, type, severity },
          value: 1,
        }));
      }),
    ),
  ];
}

function ofRequests(requests: RequestCounts): Metric[] {
  const counts = requests.all();
  const labelsOf = ({ method, route, status }: (typeof counts)[number]) => ({
    ...{ method, route, status: String(status) },
  });
  return [
    {
      ...{ name: "fiscald_http_requests_total", kind: "counter" },
      help: "Requests that were answered, since the start",
      samples: counts.map((one) => ({ labels: labelsOf(one), value: one.count })),
    },
    {
      ...{ name: "fiscald_http_request_seconds_total", kind: "counter" },
      help: "Time from their heads to the beginning of their answers, long polls included",
      samples: counts.map((one) => ({ labels: labelsOf(one), value: one.ms / MS })),
    },
  ];
}

function ofProcess({ clock }: Foundation, { uptimeSeconds }: MetricParts): Metric[] {
  const { user, system } = process.cpuUsage();
  return [
    {
      ...{ name: "process_cpu_seconds_total", kind: "counter" },
      help: "Processor time of the process",
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge("process_resident_memory_bytes", "Memory that is resident", process.memoryUsage.rss()),
    gauge("process_open_fds", "Open descriptors", openDescriptors()),
    gauge(
      "process_start_time_seconds",
      "When the gateway started, as Unix time",
      clock.now() / MS - uptimeSeconds(),
    ),
  ];
}

function openDescriptors(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0;
  }
}
