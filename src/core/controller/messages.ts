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
import type { CommandResult } from "../command/command.ts";
import { type Baseline, MARKS } from "../command/marks.ts";
import type {
  DetectionProgress,
  DetectionReport,
  DetectionTarget,
  FoundDevice,
  TriedAddress,
} from "../device/detection.ts";
import type { DeviceConfig, DeviceInfo, DeviceStatus } from "../device/device.ts";
import { TRACE_EVENTS_MAX, TRACE_FRAMES_MAX, type TraceEntry } from "../device/trace.ts";
import type { DriverCommand } from "../driver.ts";
import type { DriverId } from "../driver-id.ts";
import { FISCAL_ERRORS } from "../errors.ts";

/** The subprotocol of the controller WebSocket. */
export const CONTROLLER_SUBPROTOCOL = "fdg.v1";

/** Whether the controller reaches the device. */
export type LinkState = "up" | "down";

const ID_MAX = 128;
const TEXT_MAX = 1_024;
const ENTRIES_MAX = TRACE_FRAMES_MAX + TRACE_EVENTS_MAX;

const Id = Type.String({ minLength: 1, maxLength: ID_MAX });
const Text = Type.String({ maxLength: TEXT_MAX });
const words = <const T extends string>(values: readonly T[]) =>
  Type.Unsafe<T>({ type: "string", enum: [...values] });
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
/** An object of which only the outline is checked here. */
const record = <T>(description: string) =>
  Type.Unsafe<T>(Type.Object({}, { additionalProperties: true, description }));

const Epoch = Type.Integer({
  minimum: 1,
  description: "Of the hand-over that this belongs to; left out by older controllers",
});
const MarkName = words(MARKS);
const BaselineData = record<Baseline>("What the driver read before it began; kept unread");

const Info = Type.Unsafe<DeviceInfo>(
  Type.Object({
    serialNumber: nullable(Text),
    firmwareVersion: nullable(Text),
    fiscalMemorySerialNumber: nullable(Text),
    manufacturer: nullable(Text),
    model: nullable(Text),
  }),
);

const Flag = nullable(Type.Boolean());
const Status = Type.Unsafe<DeviceStatus>(
  Type.Object({
    paper: nullable(words(["ok", "low", "out"])),
    cover: nullable(words(["closed", "open"])),
    fiscalReceiptOpen: Flag,
    nonFiscalReceiptOpen: Flag,
    fiscalDayOpen: Flag,
    dayCloseRequired: Flag,
    fiscalMemory: nullable(words(["ok", "near_full", "full"])),
    clockSet: Flag,
    hardwareError: Flag,
    fiscalized: Flag,
    errors: Type.Array(Type.Object({ code: Text, message: Text }), { maxItems: 100 }),
    rawHex: Text,
  }),
);

const Result = Type.Unsafe<CommandResult>(
  Type.Object({
    success: Type.Boolean(),
    data: Type.Optional(record("As the command's type has it")),
    fiscalId: Type.Optional(Type.String({ minLength: 1, maxLength: ID_MAX })),
    errorCode: Type.Optional(words(Object.keys(FISCAL_ERRORS))),
    errorMessage: Type.Optional(Text),
  }),
);

const Entry = record<TraceEntry>("As in the answer of the line monitor, instants in milliseconds");
const Found = record<FoundDevice>("A device that answered");
const Tried = record<TriedAddress>("What came of an address");
const ADDRESSES_MAX = 1_000;

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
      action: Text,
      details: record<Readonly<Record<string, unknown>>>("For the person who looks"),
    },
    { description: "Something was done on the device without anybody having asked for it" },
  ),
  "command.ack": Type.Object({
    type: Type.Literal("command.ack"),
    deviceId: Id,
    commandId: Id,
    epoch: Type.Optional(Epoch),
  }),
  "command.mark": Type.Object({
    type: Type.Literal("command.mark"),
    deviceId: Id,
    commandId: Id,
    epoch: Type.Optional(Epoch),
    mark: MarkName,
    baseline: Type.Optional(BaselineData),
  }),
  "command.result": Type.Object({
    type: Type.Literal("command.result"),
    deviceId: Id,
    commandId: Id,
    epoch: Type.Optional(Epoch),
    result: Result,
  }),
  "trace.entries": Type.Object({
    type: Type.Literal("trace.entries"),
    requestId: Id,
    entries: Type.Unsafe<readonly TraceEntry[]>(Type.Array(Entry, { maxItems: ENTRIES_MAX })),
    ended: Type.Boolean({ description: "Nothing more comes" }),
  }),
  "detect.progress": Type.Object({
    type: Type.Literal("detect.progress"),
    requestId: Id,
    probing: record<DetectionProgress>("The question that is about to be asked"),
  }),
  "detect.report": Type.Object({
    type: Type.Literal("detect.report"),
    requestId: Id,
    report: Type.Unsafe<DetectionReport>(
      Type.Object({
        found: Type.Array(Found, { maxItems: ADDRESSES_MAX }),
        tried: Type.Array(Tried, { maxItems: ADDRESSES_MAX }),
      }),
    ),
  }),
  "detect.failed": Type.Object({
    type: Type.Literal("detect.failed"),
    requestId: Id,
    reason: Text,
  }),
  pong: Type.Object({ type: Type.Literal("pong") }),
} as const;

const Device = record<DeviceConfig>("The device as registered");
const Command = record<DriverCommand>("The command, and the receipt that it reverses");
const HandOver = Type.Integer({ minimum: 1, description: "Repeat it in what is reported" });

/** To a controller, by type. */
export const TO_CONTROLLER = {
  welcome: Type.Object({
    type: Type.Literal("welcome"),
    controllerId: Id,
    devices: Type.Unsafe<readonly DeviceConfig[]>(Type.Array(Device)),
    heartbeatSeconds: Type.Integer(),
  }),
  "device.assigned": Type.Object(
    { type: Type.Literal("device.assigned"), device: Device },
    { description: "A device to serve from now on, or the new settings of one already served" },
  ),
  "device.released": Type.Object({ type: Type.Literal("device.released"), deviceId: Id }),
  "announce.accepted": Type.Object({ type: Type.Literal("announce.accepted"), deviceId: Id }),
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
    expiresAt: Type.Integer({ description: "UTC milliseconds after which it may not begin" }),
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
    neverFinish: Type.Optional(
      Type.Boolean({
        description:
          "A person said of this receipt that it was not printed: nothing more of it is opened, " +
          "paid or closed; where it stands open and cannot be cancelled, the result is E301",
      }),
    ),
  }),
  "mark.stored": Type.Object({
    type: Type.Literal("mark.stored"),
    commandId: Id,
    mark: MarkName,
  }),
  "result.stored": Type.Object({ type: Type.Literal("result.stored"), commandId: Id }),
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
  }),
} as const;

type MessageOf<Schemas extends Readonly<Record<string, TSchema>>> = {
  [Name in keyof Schemas]: Readonly<Static<Schemas[Name]>>;
}[keyof Schemas];

export type ToGateway = MessageOf<typeof TO_GATEWAY>;
export type ToController = MessageOf<typeof TO_CONTROLLER>;
/** What a controller reports of a command. */
export type CommandReport = Extract<ToGateway, { readonly commandId: string }>;
