/** Answers of the organization routes. */

import { Type } from "@sinclair/typebox";

export const OrganizationRecord = Type.Object({
  id: Type.String(),
  name: Type.String(),
  currency: Type.String(),
  timezone: Type.String(),
  plan: Type.String(),
  createdAt: Type.String({ format: "date-time" }),
  updatedAt: Type.String({ format: "date-time" }),
});
