/**
 * What reads a part of a request: a Standard Schema (standardschema.dev), which Elysia takes for
 * `body` and `query` of a route. Its input is the whole request, so that nothing is read before it.
 */

import type { TSchema } from "@sinclair/typebox";

/** Schemas by the name under which others refer to them, as `#/components/schemas/<name>`. */
export type Components = Readonly<Record<string, TSchema>>;

interface Reading<T> {
  readonly value: T;
}

/** Made by `json`, `lateJson` and `query`. */
export class RequestReader<T> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "fiscald";
    readonly types?: { readonly input: unknown; readonly output: T };
    readonly validate: (request: unknown) => Reading<T> | Promise<Reading<T>>;
  };

  /**
   * @param validate throws an ApiError instead of giving a list of issues
   * @param document what it takes, for the OpenAPI document
   */
  constructor(
    validate: (request: Request) => Reading<T> | Promise<Reading<T>>,
    readonly document: TSchema,
    readonly components: Components = {},
  ) {
    this["~standard"] = {
      version: 1,
      vendor: "fiscald",
      validate(request) {
        if (!(request instanceof Request)) throw new Error("a reader was given no request");
        return validate(request);
      },
    };
  }
}
