/** Bodies and answers of the controller routes. */

import { type Static, Type } from "@sinclair/typebox";
import { InstantSchema } from "#core/command/instant.ts";
import { CONTROLLER_TEXT_MAX, CONTROLLERS_LISTED_MAX, FCM_TOKEN_MAX } from "#core/limits.ts";
import { named } from "../../http/named-schema.ts";

const LocationId = Type.String({ minLength: 1, maxLength: CONTROLLER_TEXT_MAX });
const Text = Type.String({ maxLength: CONTROLLER_TEXT_MAX });
const optional = {
  controllerName: Type.Optional(Type.String({ minLength: 1, maxLength: CONTROLLER_TEXT_MAX })),
  appVersion: Type.Optional(Text),
  deviceModel: Type.Optional(Text),
  osVersion: Type.Optional(Text),
  connectedAt: Type.Optional(InstantSchema),
};

export const PutControllerBody = Type.Object(
  { locationId: LocationId, ...optional },
  {
    examples: [
      {
        ...{ locationId: "shop", controllerName: "Counter tablet", appVersion: "2.4.0" },
        ...{ deviceModel: "Tab A9", osVersion: "Android 15" },
      },
    ],
  },
);
export type PutControllerBody = Static<typeof PutControllerBody>;

/** At least one of them. */
export const UpdateControllerBody = Type.Object(
  { locationId: Type.Optional(LocationId), ...optional },
  { examples: [{ appVersion: "2.4.1" }] },
);
export type UpdateControllerBody = Static<typeof UpdateControllerBody>;

export const FcmTokenBody = Type.Object(
  { fcmToken: Type.String({ minLength: 1, maxLength: FCM_TOKEN_MAX }) },
  { examples: [{ fcmToken: "fMEP0vJqS0:APA91bHun4MxP5egoKMwt2KZFBaFUH" }] },
);

export const FcmTokenAnswer = Type.Object({ controllerId: Type.String() });

const Instant = Type.String({ format: "date-time" });
const textOrNull = Type.Union([Type.String(), Type.Null()]);

const ControllerFields = Type.Object({
  controllerId: Type.String(),
  orgId: Type.String(),
  controllerName: textOrNull,
  locationId: textOrNull,
  appVersion: textOrNull,
  deviceModel: textOrNull,
  osVersion: textOrNull,
  connectedAt: Type.Union([Instant, Type.Null()]),
  fcmToken: textOrNull,
  createdAt: Instant,
  updatedAt: Instant,
});
export const ControllerRecord = named("Controller", ControllerFields);

export const ControllersAnswer = Type.Object({
  instances: Type.Array(
    Type.Object({
      controllerId: Type.String(),
      controllerName: Type.String(),
      appVersion: Type.String(),
      deviceModel: Type.String(),
      osVersion: Type.String(),
      connectedAt: Instant,
      connectedDevices: Type.Array(Type.String(), {
        description: "Devices that it serves and reaches",
      }),
    }),
  ),
  known: Type.Array(
    Type.Object({
      controllerId: Type.String(),
      controllerName: textOrNull,
      locationId: textOrNull,
      appVersion: textOrNull,
      deviceModel: textOrNull,
      osVersion: textOrNull,
      connected: Type.Boolean(),
      lastSeenAt: Type.Union([Instant, Type.Null()], {
        description: "When its last connection ended, or began if nothing is known of its end",
      }),
      canBeWoken: Type.Boolean({ description: "It has registered a push token" }),
      deviceIds: Type.Array(Type.String(), { description: "Devices that it served last" }),
      createdAt: Instant,
      updatedAt: Instant,
    }),
    {
      description:
        "Remote controllers, connected or not, of which something is kept; at most " +
        `${CONTROLLERS_LISTED_MAX}, those heard of last`,
    },
  ),
});
