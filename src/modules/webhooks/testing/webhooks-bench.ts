/** A shop with webhooks at real HTTPS servers, and events that happen when a test says so. */

import { type Static, Type } from "@sinclair/typebox";
import { storedDevice } from "#core/device/testing/stored-device.ts";
import { type DeviceEventType, deviceEvent } from "#core/events.ts";
import { until } from "../../../e2e/harness/until.ts";
import type { ApiClient } from "../../../http/testing/api-client.ts";
import {
  type Certificate,
  ENDPOINT_NAME,
  type Endpoint,
  startEndpoint,
} from "../../../webhooks/testing/https-endpoint.ts";
import { type ApiBench, type BenchOptions, createApiBench } from "../../testing/api-bench.ts";

export const WEBHOOKS = "/api/v1/org/webhooks";
const LOOPBACK = "127.0.0.1";

const Created = Type.Object({ webhook: Type.Object({ id: Type.String(), secret: Type.String() }) });
const TextOrNull = Type.Union([Type.String(), Type.Null()]);
const Delivery = Type.Object({
  id: Type.String(),
  status: Type.String(),
  attempt: Type.Integer(),
  httpStatus: Type.Union([Type.Integer(), Type.Null()]),
  responseBody: TextOrNull,
  error: TextOrNull,
  createdAt: Type.String(),
  attemptedAt: TextOrNull,
  attempts: Type.Array(Type.Object({ number: Type.Integer(), attemptedAt: Type.String() })),
  nextAttemptAt: TextOrNull,
  payload: Type.Object({
    id: Type.String(),
    type: Type.String(),
    data: Type.Object({ device: Type.Optional(Type.Object({ id: Type.String() })) }),
  }),
});
export type ShownDelivery = Static<typeof Delivery>;

export interface WebhooksBenchOptions {
  readonly certificate: Certificate;
  /** What ran before, to go on from there. */
  readonly after?: Pick<ApiBench, "database" | "clock">;
  readonly webhooks?: BenchOptions["webhooks"];
}

/** Where a server is. */
export interface Place {
  readonly port: number;
  /** The name that the certificate is for unless given. */
  readonly host?: string;
}

export type WebhooksBench = Awaited<ReturnType<typeof createWebhooksBench>>;

/** Builds the shop. Call `close` at the end. */
export async function createWebhooksBench(options: WebhooksBenchOptions) {
  const { certificate, after } = options;
  const api = createApiBench({
    registration: "open",
    ...(after === undefined ? {} : { after }),
    webhooks: {
      ...{ allowLoopback: true, caFile: certificate.caFile },
      lookup: () => Promise.resolve([LOOPBACK]),
      ...options.webhooks,
    },
  });
  const endpoints: Endpoint[] = [];
  const orgId = after === undefined ? (await api.owner()).orgId : onlyOrgId(api);
  /** Somebody who may, with a login of now: one ends long before a delivery does. */
  const admin = async (): Promise<ApiClient> => (await api.member(orgId, "admin")).client;
  return {
    ...api,
    ...{ orgId, admin },
    ...happening(api, orgId),
    ...multiplying(api, orgId),

    /** Starts a server that the shop's webhooks may lead to. */
    async endpoint(answer?: Parameters<typeof startEndpoint>[1]): Promise<Endpoint> {
      const endpoint = await startEndpoint(certificate, answer);
      endpoints.push(endpoint);
      return endpoint;
    },

    /** Subscribes a server to devices that come, unless another event is named. */
    async subscribe({ port, host = ENDPOINT_NAME }: Place, ...events: readonly string[]) {
      const url = `https://${host}:${port}/in`;
      const wanted = events.length === 0 ? ["device.online"] : events;
      const answer = await (await admin()).post(WEBHOOKS, { url, events: wanted });
      return answer.as(Created).webhook;
    },

    /** Takes up what the run before has left, as a gateway does at its start. */
    goOn: () => api.deliveries.start(),

    /** Newest first. */
    async deliveries(webhookId: string, query = "?limit=200"): Promise<ShownDelivery[]> {
      const answer = await (await admin()).get(`${WEBHOOKS}/${webhookId}/deliveries${query}`);
      return answer.as(Type.Object({ deliveries: Type.Array(Delivery) })).deliveries;
    },

    async webhook(webhookId: string): Promise<unknown> {
      return (await (await admin()).get(`${WEBHOOKS}/${webhookId}`)).body;
    },

    async change(webhookId: string, body: object): Promise<void> {
      const answer = await (await admin()).patch(`${WEBHOOKS}/${webhookId}`, body);
      if (answer.status !== 200) throw new Error(`not changed: ${answer.text}`);
    },

    /** Ends what is under way, the database excepted when it is to be gone on with. */
    async close({ keep = false } = {}): Promise<void> {
      const stopped = api.deliveries.stop(0);
      api.clock.advance(0);
      await stopped;
      await api.writer.run(() => undefined);
      for (const endpoint of endpoints) await endpoint.stop();
      if (!keep) api.close();
    },
  };
}

/** Events, and what follows from them. */
function happening({ writer, stores, database, clock }: ApiBench, orgId: string) {
  const dueNow = database.sqlite
    .prepare("SELECT count(*) FROM webhook_deliveries WHERE due_at <= ?")
    .pluck();
  const nextDue = database.sqlite.prepare("SELECT min(due_at) FROM webhook_deliveries").pluck();
  let wanted = 0;
  const emit = async (type: DeviceEventType, deviceIds: readonly string[]): Promise<void> => {
    await writer.run((tx) => {
      for (const id of deviceIds) tx.emit(deviceEvent(type, storedDevice({ id, orgId }), "c1"));
    });
    // What nobody wants may be left standing for a while.
    const isWanted = stores.webhooks
      .enabledOf(orgId)
      .some(({ events }) => events.some((one) => one === type));
    if (isWanted) wanted = stores.events.lastSeq();
  };
  return {
    /** Devices come. @returns once that is on disk */
    happens: (...deviceIds: readonly string[]) => emit("device.online", deviceIds),
    /** Devices go. @returns once that is on disk */
    leave: (...deviceIds: readonly string[]) => emit("device.offline", deviceIds),

    /** When the next attempt is due, in UTC milliseconds; undefined while nothing waits. */
    nextDueAt(): number | undefined {
      const dueAt: unknown = nextDue.get();
      return typeof dueAt === "number" ? dueAt : undefined;
    },

    /** Nothing is due any more, and all of it is on disk. */
    async atRest(): Promise<void> {
      await until("events taken up", () => {
        const isAnybodyThere = stores.webhooks.isAnyEnabled();
        return !isAnybodyThere || Number(stores.appliance.find("webhooks.cursor")) >= wanted;
      });
      await until("what is due", () => Number(dueNow.get(clock.now())) === 0);
    },
  };
}

function onlyOrgId({ database }: ApiBench): string {
  return String(database.sqlite.prepare("SELECT id FROM organizations").pluck().get());
}

/** Puts many rows where one is. */
function multiplying(api: ApiBench, orgId: string) {
  return {
    /** The same subscription so many times more. */
    async subscribeMore(webhookId: string, count: number): Promise<void> {
      const webhook = api.stores.webhooks.get(orgId, webhookId);
      if (webhook === undefined) throw new Error("no such webhook");
      await api.writer.run(() => {
        for (let more = 1; more <= count; more += 1) {
          api.stores.webhooks.insert({ ...webhook, id: `${webhookId}-${more}` });
        }
      });
    },

    /** So many deliveries that wait for ten hours from now. */
    async waitingMore(webhookId: string, count: number): Promise<void> {
      const payload = {
        id: "evt_1",
        type: "device.online",
        createdAt: new Date(api.clock.now()).toISOString(),
        orgId,
        data: {},
      } as const;
      await api.writer.run(() => {
        for (let more = 1; more <= count; more += 1) {
          api.stores.webhookDeliveries.insert({
            ...{ id: `dlv_${more}`, webhookId, orgId, eventType: payload.type, payload },
            ...{ status: "pending", attempt: 0, httpStatus: null, responseBody: null, error: null },
            ...{ attemptedAt: null, createdAt: 0, dueAt: api.clock.now() + 10 * 3_600_000 },
            failedAttempts: null,
          });
        }
      });
    },
  };
}
