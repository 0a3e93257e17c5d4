/** Calls an app without a socket, for tests: JSON in, JSON out, and errors by their code. */

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { AnyElysia } from "elysia";
import { cameWithoutSocket } from "../request-server.ts";
import type { CheckAnswer } from "./documented-answers.ts";

const ErrorShape = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: Type.Optional(Type.Unknown()),
  }),
});
const IssuesShape = Type.Array(Type.Object({ path: Type.String(), message: Type.String() }));

export interface CallOptions {
  readonly headers?: Record<string, string>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** An answer that has been read. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON body; undefined when there is none. */
  readonly body: unknown;
  /** Status and error code together, which is what most refusals are told by. */
  readonly refusal: string;
  /** Paths of the faults of a VALIDATION_ERROR. */
  readonly issuePaths: readonly string[];
  /** The body, or a part of it, as that schema says. @throws Error when it is something else */
  as<S extends TSchema>(schema: S): Static<S>;
  /** A text field of the body. @throws Error when it is none */
  field(name: string): string;
}

/** Calls one app. */
export class ApiClient {
  /**
   * @param headers sent with every call
   * @param check what every answer has to pass
   */
  constructor(
    readonly app: AnyElysia,
    readonly headers: Record<string, string> = {},
    readonly check: CheckAnswer = () => undefined,
  ) {}

  /** The same app with these headers too. */
  with(headers: Record<string, string>): ApiClient {
    return new ApiClient(this.app, { ...this.headers, ...headers }, this.check);
  }

  /** The same app as whoever holds the token or API key. */
  as(bearer: string): ApiClient {
    return this.with({ authorization: `Bearer ${bearer}` });
  }

  get(path: string, options?: CallOptions): Promise<ApiAnswer> {
    return this.call("GET", path, options);
  }

  post(path: string, body?: unknown, options?: CallOptions): Promise<ApiAnswer> {
    return this.call("POST", path, { ...options, ...(body === undefined ? {} : { body }) });
  }

  patch(path: string, body: unknown): Promise<ApiAnswer> {
    return this.call("PATCH", path, { body });
  }

  put(path: string, body: unknown): Promise<ApiAnswer> {
    return this.call("PUT", path, { body });
  }

  delete(path: string): Promise<ApiAnswer> {
    return this.call("DELETE", path);
  }

  /** @param path from the root, `/api/v1` included */
  async call(method: string, path: string, options: CallOptions = {}): Promise<ApiAnswer> {
    const body = options.rawBody ?? JSON.stringify(options.body);
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...this.headers,
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    cameWithoutSocket(request);
    const answer = await readAnswer(await this.app.handle(request));
    this.check({ ...answer, method, path });
    return answer;
  }
}

/** An answer that goes on until its reader hangs up, which is what this one does at once. */
async function hungUp({ body }: Response): Promise<string> {
  await body?.cancel();
  return "";
}

async function readAnswer(response: Response): Promise<ApiAnswer> {
  const type = response.headers.get("content-type") ?? "";
  const text = type.startsWith("text/event-stream")
    ? await hungUp(response)
    : await response.text();
  const isJson = type.startsWith("application/json");
  const body: unknown = isJson && text !== "" ? JSON.parse(text) : undefined;
  const as = <S extends TSchema>(schema: S): Static<S> => Value.Decode(schema, body);
  const error = Value.Check(ErrorShape, body) ? body.error : undefined;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body,
    refusal: `${response.status} ${error?.code ?? ""}`.trim(),
    issuePaths: Value.Check(IssuesShape, error?.details) ? error.details.map((i) => i.path) : [],
    as,
    field: (name) => {
      const fields: Record<string, string> = as(Type.Object({ [name]: Type.String() }));
      return fields[name] ?? "";
    },
  };
}
