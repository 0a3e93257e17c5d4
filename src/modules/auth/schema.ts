/** Bodies of the authentication routes. */

import { type Static, Type } from "@sinclair/typebox";
import { ROLES } from "#core/access.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "#core/limits.ts";
import { patternOf } from "#core/patterns.ts";
import { CURRENCY_PATTERN } from "#core/place.ts";
import { DateTime, DateTimeOrNull, oneOf } from "#core/schema-parts.ts";
import { TURNING, UNSEEN, visibleName } from "#core/visible-name.ts";
import { named } from "../../http/named-schema.ts";
import { OrganizationRecord } from "../organizations/schema.ts";

const EMAIL_MAX = 254;
export const NAME_MAX = 255;

/** Of an account that there may be: whoever has one logs in with it, whatever rule it was made by. */
const Email = Type.String({
  maxLength: EMAIL_MAX,
  pattern: patternOf("^\\s*[^\\s@]+@[^\\s@]+\\s*$", "an e-mail address"),
});
/**
 * What stands between the dots of an address. Brackets, commas and quotes would be read as syntax of mail; by
 * what cannot be seen two accounts would look the same.
 */
const EMAIL_PART = `[^${UNSEEN}${TURNING}\\u0000-\\u001f\\u007f-\\u009f@.<>()\\[\\]\\\\,;:"]+`;
/** Of a new account: mail is sent there. */
export const NewEmail = Type.String({
  maxLength: EMAIL_MAX,
  pattern: patternOf(
    `^\\s*${EMAIL_PART}(\\.${EMAIL_PART})*@${EMAIL_PART}(\\.${EMAIL_PART})*\\s*$`,
    "an e-mail address",
  ),
});
export const NewPassword = Type.String({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX });
/** A password that was accepted once; only its length is bounded, so that nothing huge is hashed. */
const GivenPassword = Type.String({ minLength: 1, maxLength: 1024 });
/** Long enough for every token ever issued. */
const RefreshToken = Type.String({ minLength: 1, maxLength: 512 });

export const RegisterBody = Type.Object(
  {
    email: NewEmail,
    password: NewPassword,
    name: visibleName(NAME_MAX),
    organizationName: visibleName(NAME_MAX),
    currency: Type.Optional(Type.String({ pattern: CURRENCY_PATTERN })),
    timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    setupCode: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          "For the first registration, unless it comes from the machine itself: the code that " +
          "`fiscald serve` prints and `fiscald setup --code` shows",
      }),
    ),
  },
  {
    examples: [
      {
        email: "owner@shop.example",
        password: "a long password",
        name: "Ann",
        organizationName: "Corner Shop",
        setupCode: "7K2M-9QXT-04HB",
      },
    ],
  },
);
export type RegisterBody = Static<typeof RegisterBody>;

export const LoginBody = Type.Object(
  { email: Email, password: GivenPassword },
  { examples: [{ email: "owner@shop.example", password: "a long password" }] },
);
export type LoginBody = Static<typeof LoginBody>;

/** Required unless it is a cookie. */
export const RefreshBody = Type.Object(
  {
    refreshToken: Type.Optional(
      Type.String({
        ...RefreshToken,
        description: "Needed unless `X-Session: cookie` stands for it; of both, this one counts",
      }),
    ),
  },
  { examples: [{ refreshToken: "the refreshToken of the last answer" }] },
);

export const LogoutBody = Type.Object(
  {
    ...RefreshBody.properties,
    everywhere: Type.Optional(
      Type.Boolean({ description: "True also ends the user's other sessions" }),
    ),
  },
  { examples: [{ refreshToken: "the refreshToken of the last answer", everywhere: true }] },
);

/**
 * What ends a session: a password or rights that changed or a copied token, time, a user who is
 * inactive; unknown is a token that is known no more, as after the user was removed.
 */
export const SESSION_ENDS = ["ended", "expired", "inactive", "unknown"] as const;

export const RenameBody = Type.Object(
  { name: visibleName(NAME_MAX) },
  { examples: [{ name: "Ann" }] },
);

export const ChangePasswordBody = Type.Object(
  {
    currentPassword: GivenPassword,
    newPassword: NewPassword,
  },
  { examples: [{ currentPassword: "a long password", newPassword: "another long password" }] },
);
export type ChangePasswordBody = Static<typeof ChangePasswordBody>;

export const ForgotPasswordBody = Type.Object(
  { email: Email },
  { examples: [{ email: "owner@shop.example" }] },
);

export const ForgotPasswordAnswer = Type.Object({
  delivery: Type.Union([Type.Literal("mail"), Type.Literal("box")], {
    description:
      "How the code reaches the user, if there is such a user: by mail, or from the person at " +
      "the box (`fiscald user reset-code`) where no mail server is configured",
  }),
});

export const ResetPasswordBody = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 512 }),
    password: NewPassword,
  },
  { examples: [{ token: "the code from the mail", password: "another long password" }] },
);
export type ResetPasswordBody = Static<typeof ResetPasswordBody>;

export const RoleName = oneOf(ROLES);

/** A user that the person at the box adds. */
export const AddUserBody = Type.Object({
  email: NewEmail,
  name: visibleName(NAME_MAX),
  role: RoleName,
  password: NewPassword,
});
export type AddUserBody = Static<typeof AddUserBody>;

export const NewPasswordBody = Type.Object({ password: NewPassword });

const UserFields = Type.Object({
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: RoleName,
  active: Type.Boolean(),
  createdAt: DateTime,
  lastLoginAt: DateTimeOrNull,
});
export const UserRecord = named("User", UserFields);

export const IdentityAnswer = Type.Object({ user: UserRecord, organization: OrganizationRecord });

export const UserAnswer = Type.Object({ user: UserRecord });

export const SessionAnswer = Type.Object({
  accessToken: Type.String(),
  refreshToken: Type.Optional(
    Type.String({ description: "Left out with `X-Session: cookie`: it is the cookie then" }),
  ),
  tokenType: Type.Literal("Bearer"),
  expiresIn: Type.Integer({ description: "Seconds" }),
  user: UserRecord,
  organization: OrganizationRecord,
});
