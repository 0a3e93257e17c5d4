/** Messages that the gateway sends by itself, for `webhooks` of the OpenAPI document. */

import type { TSchema } from "@sinclair/typebox";
import { named } from "../named-schema.ts";

/** A message that the gateway posts to a server of somebody else's. */
export interface SentMessage {
  /** What it is called on its way, such as `command.completed`. */
  readonly type: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** What it carries beside the usual headers. */
  readonly headers: Readonly<Record<string, TSchema>>;
  readonly body: TSchema;
  /** What the receiver's answer means; of its body nothing is expected. */
  readonly answers: { readonly taken: string; readonly other: string };
}

/** The section of the document. */
export function webhooksOf(messages: readonly SentMessage[]) {
  return Object.fromEntries(
    messages.map((message) => [message.type, { post: operationOf(message) }]),
  );
}

function operationOf({ type, tag, summary, description, headers, body, answers }: SentMessage) {
  const name = nameOf(type);
  const schema = named(`${name}Event`, body);
  return {
    operationId: `on${name}`,
    tags: [tag],
    ...{ summary, description },
    parameters: Object.entries(headers).map(([header, { description: meaning, ...rest }]) => {
      return { name: header, in: "header", required: true, description: meaning, schema: rest };
    }),
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: { "2XX": { description: answers.taken }, default: { description: answers.other } },
  };
}

/** `command.completed` is `CommandCompleted`: generators need a name. */
function nameOf(type: string): string {
  const words = type.split(".").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return words.join("");
}
