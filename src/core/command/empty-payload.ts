/** The payload of command types that take none: `{}`; what else it holds is ignored. */

import { Type } from "@sinclair/typebox";

export const EmptyPayload = Type.Object({});
