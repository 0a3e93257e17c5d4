/** `set_logo`: uploads a logo bitmap. */

import { type Static, Type } from "@sinclair/typebox";
import { LOGO_CHARACTERS_MAX, PAYLOAD_BYTES_MAX } from "../../limits.ts";
import { patternOf } from "../../patterns.ts";
import { orNull } from "../../schema-parts.ts";
import type { CommandDefinition } from "../definition.ts";
import { Count } from "../result-fields.ts";

const BASE64 = patternOf("^[A-Za-z0-9+/]+={0,2}$", "base64");

const SetLogoPayload = Type.Object({
  logo: Type.String({
    ...{ minLength: 1, maxLength: LOGO_CHARACTERS_MAX, contentEncoding: "base64", pattern: BASE64 },
    description: "Base64 image",
  }),
});
export type SetLogoPayload = Static<typeof SetLogoPayload>;

/** What is printed of the image, in dots. */
const SetLogoResult = Type.Object({ width: orNull(Count), height: orNull(Count) });

export const setLogo = {
  category: "configuration",
  effect: "device",
  summary: "Upload a logo bitmap",
  payload: SetLogoPayload,
  payloadBytesMax: LOGO_CHARACTERS_MAX + PAYLOAD_BYTES_MAX,
  result: SetLogoResult,
  check: (payload: SetLogoPayload) =>
    payload.logo.length % 4 === 0 ? [] : [{ path: "logo", message: "Expected base64" }],
} satisfies CommandDefinition;
