/** Bodies and answers of the API key routes. */

import { Type } from "@sinclair/typebox";
import { SCOPES } from "#core/access.ts";
import { InstantSchema } from "#core/command/instant.ts";
import { KEY_LABEL_MAX } from "#core/limits.ts";
import { DateTime, DateTimeOrNull, oneOf, TextOrNull } from "#core/schema-parts.ts";
import { visibleName } from "#core/visible-name.ts";
import { named } from "../../http/named-schema.ts";

const Label = visibleName(KEY_LABEL_MAX);
const ScopeName = oneOf(SCOPES);

export const CreateKeyBody = Type.Object(
  {
    label: Label,
    scopes: Type.Array(ScopeName, { minItems: 1, maxItems: 50 }),
    expiresAt: Type.Optional({
      ...InstantSchema,
      description: "ISO 8601 with an offset, in the future",
    }),
  },
  { examples: [{ label: "Till 1", scopes: ["commands", "devices"] }] },
);

/** At least one of the two; scopes never change. */
export const UpdateKeyBody = Type.Object(
  {
    label: Type.Optional(Label),
    active: Type.Optional(Type.Boolean()),
  },
  { examples: [{ label: "Till 2" }] },
);

const shown = {
  id: Type.String(),
  prefix: Type.String(),
  last4: Type.String(),
  label: Type.String(),
  scopes: Type.Array(ScopeName),
  active: Type.Boolean(),
  createdAt: DateTime,
  expiresAt: DateTimeOrNull,
};

const KeyFields = Type.Object({
  ...shown,
  lastUsed: DateTimeOrNull,
  rotatedFromId: TextOrNull,
  rotatedToId: TextOrNull,
});
export const KeyRecord = named("ApiKey", KeyFields);

export const RevokedKey = Type.Object({
  id: Type.String(),
  label: Type.String({ description: "As it was called when it was revoked" }),
  revokedAt: DateTime,
});

export const CreatedKey = Type.Object({
  ...shown,
  key: Type.String({ description: "Shown only here" }),
});

export const RotatedKey = Type.Object({
  ...shown,
  key: Type.String({ description: "Shown only here" }),
  rotatedFromId: Type.String(),
});
