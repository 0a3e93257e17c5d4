/** What the client throws, for tests. */

import { GatewayError } from "../gateway-error.ts";

/** What a promise rejects with. @throws Error when that is no GatewayError, or it does not reject */
export async function thrownBy(promise: Promise<unknown>): Promise<GatewayError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof GatewayError) return error;
  throw new Error(`expected a GatewayError, not ${String(error)}`);
}
