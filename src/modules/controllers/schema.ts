/** Bodies and answers of the controller routes. */

import { type Static, Type } from "@sinclair/typebox";
import { InstantSchema } from "#core/command/instant.ts";
import { CONTROLLER_TEXT_MAX, FCM_TOKEN_MAX, ORG_ROWS_MAX } from "#core/limits.ts";
import { DateTime, DateTimeOrNull, TextOrNull } from "#core/schema-parts.ts";
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

const ControllerFields = Type.Object({
  controllerId: Type.String(),
  orgId: Type.String(),
  controllerName: TextOrNull,
  locationId: TextOrNull,
  appVersion: TextOrNull,
  deviceModel: TextOrNull,
  osVersion: TextOrNull,
  connectedAt: DateTimeOrNull,
  fcmToken: TextOrNull,
  createdAt: DateTime,
  updatedAt: DateTime,
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
      connectedAt: DateTime,
      connectedDevices: Type.Array(Type.String(), {
        description: "Devices that it serves and reaches",
      }),
    }),
  ),
  known: Type.Array(
    Type.Object({
      controllerId: Type.String(),
      controllerName: TextOrNull,
      locationId: TextOrNull,
      appVersion: TextOrNull,
      deviceModel: TextOrNull,
      osVersion: TextOrNull,
      connected: Type.Boolean(),
      lastSeenAt: Type.Union([DateTime, Type.Null()], {
        description: "When its last connection ended, or began if nothing is known of its end",
      }),
      canBeWoken: Type.Boolean({ description: "It has registered a push token" }),
      deviceIds: Type.Array(Type.String(), { description: "Devices that it served last" }),
      createdAt: DateTime,
      updatedAt: DateTime,
    }),
    {
      description:
        "Remote controllers, connected or not, of which something is kept; at most " +
        `${ORG_ROWS_MAX.controllers}, those heard of last`,
    },
  ),
});
