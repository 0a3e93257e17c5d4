/** `GET /auth/registration`: whether a page begins with set-up or with the login. */

import { Type } from "@sinclair/typebox";
import { publicRoutes, sourceOf } from "../../http/access.ts";
import { success } from "../../http/answers.ts";
import type { AuthService } from "./service.ts";

const RegistrationAnswer = Type.Object({
  open: Type.Boolean({ description: "An organization may be registered" }),
  first: Type.Boolean({ description: "There is no organization yet" }),
  needsSetupCode: Type.Boolean({
    description: "From where this is asked; false at the machine itself",
  }),
});

/** The route over the service. */
export function registrationRoutes(service: AuthService) {
  return publicRoutes("Authentication").get(
    "/auth/registration",
    ({ request }) => service.registration(sourceOf(request)),
    {
      detail: {
        summary: "Whether anybody may register, and what it takes",
        responses: success(RegistrationAnswer),
      },
    },
  );
}
