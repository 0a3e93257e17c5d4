/** Bodies and answers of the member routes. */

import { type Static, Type } from "@sinclair/typebox";
import { visibleName } from "#core/visible-name.ts";
import { NAME_MAX, NewEmail, NewPassword, RoleName, UserRecord } from "./schema.ts";

const Name = visibleName(NAME_MAX);

export const AddMemberBody = Type.Object(
  {
    email: NewEmail,
    name: Name,
    role: RoleName,
    password: Type.Optional(NewPassword),
  },
  { examples: [{ email: "till@shop.example", name: "Bo", role: "operator" }] },
);
export type AddMemberBody = Static<typeof AddMemberBody>;

/** At least one of the three. */
export const UpdateMemberBody = Type.Object(
  {
    name: Type.Optional(Name),
    role: Type.Optional(RoleName),
    active: Type.Optional(Type.Boolean()),
  },
  { examples: [{ role: "admin" }] },
);
export type UpdateMemberBody = Static<typeof UpdateMemberBody>;

export const MemberAnswer = Type.Object({ member: UserRecord });
export const MemberList = Type.Object({ members: Type.Array(UserRecord) });
export const AddedMember = Type.Object({
  member: UserRecord,
  setupToken: Type.Optional(
    Type.String({
      description:
        "Only without a password: the token for POST /auth/reset-password, once, within 7 days. " +
        "Shown only here",
    }),
  ),
});

export const MemberCode = Type.Object({
  setupToken: Type.String({
    description: "The token for POST /auth/reset-password, once. Shown only here",
  }),
  expiresAt: Type.String({
    format: "date-time",
    description: "Within 7 days for who has no password yet, within an hour otherwise",
  }),
});
