/**
 * What `projects.messages.send` of Firebase Cloud Messaging takes: the fields of its reference that
 * a message without anything to show may have, and the rules that it states in words.
 * Source: https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages
 */

import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

const CLOSED = { additionalProperties: false };
const Texts = Type.Record(Type.String(), Type.String());

const Message = Type.Object(
  {
    token: Type.String({ minLength: 1 }),
    data: Texts,
    android: Type.Optional(
      Type.Object(
        {
          collapse_key: Type.Optional(Type.String()),
          priority: Type.Optional(Type.Union([Type.Literal("NORMAL"), Type.Literal("HIGH")])),
          // A duration in seconds, four weeks at most.
          ttl: Type.Optional(Type.String({ pattern: "^\\d{1,7}(\\.\\d{1,9})?s$" })),
          restricted_package_name: Type.Optional(Type.String()),
          direct_boot_ok: Type.Optional(Type.Boolean()),
        },
        CLOSED,
      ),
    ),
    apns: Type.Optional(
      Type.Object(
        {
          headers: Type.Optional(Texts),
          payload: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        },
        CLOSED,
      ),
    ),
  },
  CLOSED,
);

const Send = Type.Object(
  { validate_only: Type.Optional(Type.Boolean()), message: Message },
  CLOSED,
);

export type FcmMessage = Static<typeof Message>;

/** Why FCM does not take a request: the field, and what is wrong with it. */
interface Fault {
  readonly field: string;
  readonly message: string;
}

const TTL_SECONDS_MAX = 2_419_200;
const DATA_BYTES_MAX = 4_096;
const RESERVED = /^(from|message_type|google\..*|gcm\.notification\..*)$/;

/** The message in a request, or what is wrong with it. */
export function fcmFault(
  text: string,
):
  | { readonly message: FcmMessage; readonly fault?: undefined }
  | { readonly message?: undefined; readonly fault: Fault } {
  const body = parsed(text);
  const [error] = Value.Errors(Send, body);
  if (error) {
    const field = error.path.slice(1).replaceAll("/", ".");
    return { fault: { field, message: `Invalid value at '${field}': ${error.message}` } };
  }
  const { message } = Value.Parse(Send, body);
  const fault = dataFault(message) ?? platformFault(message);
  return fault ? { fault } : { message };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function dataFault({ data }: FcmMessage): Fault | undefined {
  const field = "message.data";
  const reserved = Object.keys(data).find((name) => RESERVED.test(name));
  if (reserved !== undefined) return { field, message: `Invalid data payload key: ${reserved}` };
  const isLong = Buffer.byteLength(Object.entries(data).flat().join("")) > DATA_BYTES_MAX;
  return isLong ? { field, message: "Message is too big" } : undefined;
}

function platformFault({ android, apns }: FcmMessage): Fault | undefined {
  if (Number.parseFloat(android?.ttl ?? "0") > TTL_SECONDS_MAX) {
    return { field: "message.android.ttl", message: "TTL is longer than four weeks" };
  }
  const { "apns-priority": priority, "apns-push-type": type, ...headers } = apns?.headers ?? {};
  const field = "message.apns.headers";
  // What shows nothing has to say so, and may not ask for more.
  if (priority !== "5") return { field, message: "Data messages have the priority 5 only" };
  if (type !== "background") return { field, message: "Data messages are of the type background" };
  if (!/^\d{1,12}$/.test(headers["apns-expiration"] ?? "0")) {
    return { field, message: "apns-expiration is in seconds" };
  }
  const isBackground = Value.Equal(apns?.payload, { aps: { "content-available": 1 } });
  return isBackground ? undefined : { field: "message.apns.payload", message: "Not a background" };
}
