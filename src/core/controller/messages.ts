/**
 * What a controller and the gateway say to each other: JSON text frames over a WebSocket, or the
 * same objects over the built-in controller's in-process channel. The schemas check what arrives
 * and are the documentation of the protocol.
 *
 * Delivery is at least once. A controller keeps marks and results until they are stored, and
 * answers a repeated dispatch of a command it knows with what it has. Each hand-over of a command
 * has an `epoch`, one more than the last; what a controller reports repeats it, so that words that
 * belong to an older hand-over are known for that.
 */

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { INSTANT_FORMAT } from "../command/instant.ts";
import type { DetectionTarget, RegisteredAddress } from "../device/detection.ts";
import { type DeviceConfig, TRANSPORTS } from "../device/device.ts";
import type { DriverId } from "../driver-id.ts";
import {
  BaselineData,
  ConnectionParameters,
  Epoch,
  Id,
  Info,
  Instant,
  MarkId,
  MarkName,
  Note,
  Progress,
  Report,
  Result,
  Status,
  Text,
  TraceEntries,
  words,
} from "./reported.ts";
import type { ToldCommand } from "./told-command.ts";

/** The subprotocol of the controller WebSocket. */
export const CONTROLLER_SUBPROTOCOL = "fdg.v1";

/** Whether the controller reaches the device. */
export type LinkState = "up" | "down";

/** From a controller, by type. */
export const TO_GATEWAY = {
  "device.announce": Type.Object({
    type: Type.Literal("device.announce"),
    deviceId: Id,
    link: words(["up", "down"]),
    info: Type.Optional(Info),
    reason: Type.Optional(Text),
  }),
  "device.status": Type.Object({
    type: Type.Literal("device.status"),
    deviceId: Id,
    status: Status,
    clockDriftMs: Type.Optional(
      Type.Integer({ description: "The device's clock minus the computer's, where it was read" }),
    ),
  }),
  "device.note": Type.Object(
    {
      type: Type.Literal("device.note"),
      deviceId: Id,
      ...Note,
    },
    { description: "Something was done on the device without anybody having asked for it" },
  ),
  "command.ack": Type.Object({
    type: Type.Literal("command.ack"),
    deviceId: Type.Optional(Id),
    commandId: Id,
    epoch: Type.Optional(Epoch),
  }),
  "command.mark": Type.Object({
    type: Type.Literal("command.mark"),
    deviceId: Type.Optional(Id),
    commandId: Id,
    epoch: Type.Optional(Epoch),
    mark: MarkName,
    markId: Type.Optional(MarkId),
    baseline: Type.Optional(BaselineData),
    learned: Type.Optional(
      Type.Boolean({
        description:
          "It asks nothing, and says no more of how far the document is: `baseline` is what was learned " +
          "of a document in doubt, kept for whoever is asked next what became of it",
      }),
    ),
  }),
  "command.result": Type.Object({
    type: Type.Literal("command.result"),
    deviceId: Type.Optional(Id),
    commandId: Id,
    epoch: Type.Optional(Epoch),
    result: Result,
  }),
  "trace.entries": Type.Object({
    type: Type.Literal("trace.entries"),
    requestId: Id,
    entries: TraceEntries,
    ended: Type.Boolean({ description: "Nothing more comes" }),
  }),
  "detect.progress": Type.Object({
    type: Type.Literal("detect.progress"),
    requestId: Id,
    probing: Progress,
  }),
  "detect.report": Type.Object({
    type: Type.Literal("detect.report"),
    requestId: Id,
    report: Report,
  }),
  "detect.failed": Type.Object({
    type: Type.Literal("detect.failed"),
    requestId: Id,
    reason: Text,
  }),
  pong: Type.Object({ type: Type.Literal("pong") }),
} as const;

const Device = Type.Unsafe<DeviceConfig>(
  Type.Object(
    {
      ...{ id: Id, orgId: Id, name: Text },
      driver: Type.Unsafe<DriverId>({ ...Text, description: "One may be newer than the app" }),
      transport: words(TRANSPORTS),
      connectionParams: ConnectionParameters,
      timezone: Type.String({ description: "IANA time zone of the device's clock" }),
      currency: Type.String({ description: "ISO 4217 code" }),
    },
    { description: "The device as registered" },
  ),
);
const Command = Type.Unsafe<ToldCommand>(
  Type.Object(
    {
      id: Id,
      type: Type.String({ description: "A command type of the REST API" }),
      payload: Type.Unknown({ description: "As the REST API's document has it for the type" }),
      original: Type.Optional(
        Type.Object(
          { issuedAt: Instant, createdAt: Instant },
          {
            additionalProperties: true,
            description:
              "The stored receipt that void_receipt takes back, where the gateway has it",
          },
        ),
      ),
    },
    { description: "What is to be done" },
  ),
);
const HandOver = Type.Integer({ minimum: 1, description: "Repeat it in what is reported" });

/** To a controller, by type. */
export const TO_CONTROLLER = {
  welcome: Type.Object({
    type: Type.Literal("welcome"),
    controllerId: Id,
    devices: Type.Unsafe<readonly DeviceConfig[]>(Type.Array(Device)),
    heartbeatSeconds: Type.Integer(),
    installationId: Type.Optional({
      ...Id,
      description:
        "Which installation this is, to which the results of what it hands over are owed; one that was " +
        "put back from a copy is another one. Left out by older gateways",
    }),
  }),
  "device.assigned": Type.Object(
    { type: Type.Literal("device.assigned"), device: Device },
    {
      description:
        "A device to serve from now on, or the new settings of one already served. What is under way goes on " +
        "with the name, timezone and currency with which it began",
    },
  ),
  "device.released": Type.Object({ type: Type.Literal("device.released"), deviceId: Id }),
  "announce.accepted": Type.Object({
    type: Type.Literal("announce.accepted"),
    deviceId: Id,
    link: Type.Optional(words(["up", "down"])),
  }),
  "announce.rejected": Type.Object({
    type: Type.Literal("announce.rejected"),
    deviceId: Id,
    code: words(["OWNED", "NOT_FOUND"]),
    ownerId: Type.Optional(Id),
  }),
  "command.dispatch": Type.Object({
    type: Type.Literal("command.dispatch"),
    command: Command,
    device: Device,
    epoch: HandOver,
    expiresAt: Type.String({
      format: INSTANT_FORMAT,
      description: "After which it may not begin, by the gateway's clock",
    }),
    expiresInMs: Type.Integer({
      description: "The same as a time from now on, for a computer whose clock shows another time",
    }),
    begun: Type.Boolean({
      description: "It was acknowledged once: its time no longer runs, and a result is waited for",
    }),
    neverFinish: Type.Optional(
      Type.Boolean({
        description:
          "A person said of a receipt that may stand open that it was not printed: where it cannot " +
          "be cancelled the command fails with E301",
      }),
    ),
  }),
  "command.resolve": Type.Object({
    type: Type.Literal("command.resolve"),
    command: Command,
    device: Device,
    epoch: HandOver,
    baseline: BaselineData,
    mark: MarkName,
    otherPorts: Type.Optional(
      Type.Unsafe<readonly number[]>(
        Type.Array(Type.Integer(), {
          description:
            "TCP ports at which the printer has other addresses, or had as this was sent to it: what a " +
            "killed process has sent there may still arrive, and nothing is proven before",
        }),
      ),
    ),
    neverFinish: Type.Optional(
      Type.Boolean({
        description:
          "A person said of this receipt that it was not printed: where it stands open and cannot be " +
          "cancelled it is not finished, and the result is E301",
      }),
    ),
    settled: Type.Optional(
      Type.Boolean({
        description:
          "A person said what became of it: whoever still asks to go on, waits for paper or has paid " +
          "nothing pays and closes nothing more, and no mark is stored",
      }),
    ),
    mayPrint: Type.Optional(
      Type.Boolean({
        description:
          "Beside settled: it was called printed, so what may pay already and waits for paper is " +
          "printed when there is paper again, however long that takes; without it, it is cancelled",
      }),
    ),
  }),
  "mark.stored": Type.Object({
    type: Type.Literal("mark.stored"),
    commandId: Id,
    mark: MarkName,
    markId: Type.Optional(MarkId),
  }),
  "result.stored": Type.Object({ type: Type.Literal("result.stored"), commandId: Id }),
  "note.stored": Type.Object({ type: Type.Literal("note.stored"), deviceId: Id, noteId: Id }),
  "trace.follow": Type.Object(
    {
      type: Type.Literal("trace.follow"),
      requestId: Id,
      deviceId: Id,
    },
    { description: "Asks for what is kept of a device's line, and each new entry until trace.end" },
  ),
  "trace.end": Type.Object({ type: Type.Literal("trace.end"), requestId: Id }),
  "detect.begin": Type.Object(
    {
      type: Type.Literal("detect.begin"),
      requestId: Id,
      target: Type.Unsafe<DetectionTarget>(Type.Object({}, { additionalProperties: true })),
      drivers: Type.Optional(Type.Unsafe<readonly DriverId[]>(Type.Array(Text))),
      orgId: Type.Optional(Id),
      registered: Type.Optional(
        Type.Unsafe<readonly RegisteredAddress[]>(
          Type.Array(
            Type.Object({
              ...{ id: Id, name: Text },
              transport: words(TRANSPORTS),
              connectionParams: ConnectionParameters,
            }),
            {
              description:
                "Registered devices that may be within reach of the controller: it asks nothing at their " +
                "addresses, and tells them as in_use. Left out by older gateways",
            },
          ),
        ),
      ),
    },
    { description: "Asks for a search for devices that nobody has registered" },
  ),
  "detect.end": Type.Object({ type: Type.Literal("detect.end"), requestId: Id }),
  ping: Type.Object({ type: Type.Literal("ping") }),
  error: Type.Object({
    type: Type.Literal("error"),
    code: Text,
    message: Text,
    commandId: Type.Optional(Id),
    deviceId: Type.Optional(Id),
    epoch: Type.Optional(
      Type.Integer({ description: "Of the report that was not taken, where it had one" }),
    ),
  }),
} as const;

/** The schema of a message by what it says is its type; undefined where there is none. */
export function schemaNamed(
  schemas: Readonly<Record<string, TSchema>>,
  type: unknown,
): TSchema | undefined {
  return typeof type === "string" && Object.hasOwn(schemas, type) ? schemas[type] : undefined;
}

type MessageOf<Schemas extends Readonly<Record<string, TSchema>>> = {
  [Name in keyof Schemas]: Readonly<Static<Schemas[Name]>>;
}[keyof Schemas];

export type ToGateway = MessageOf<typeof TO_GATEWAY>;
export type ToController = MessageOf<typeof TO_CONTROLLER>;
/** What a controller reports of a command. */
export type CommandReport = Extract<ToGateway, { readonly commandId: string }>;
