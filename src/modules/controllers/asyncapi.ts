/**
 * The controller protocol as an AsyncAPI document (https://www.asyncapi.com, version 3.0.0), made
 * from the very schemas by which messages are checked. It describes the app beside the printers: it
 * sends what goes to the gateway, and receives the rest.
 */

import type { TSchema } from "@sinclair/typebox";
import { CONTROLLER_SUBPROTOCOL, TO_CONTROLLER, TO_GATEWAY } from "#core/controller/messages.ts";
import { CONTROLLER_ID_PATTERN, CONTROLLER_TEXT_MAX } from "#core/limits.ts";

type Schemas = Readonly<Record<string, TSchema>>;

const text = (description: string) => ({
  ...{ type: "string", maxLength: CONTROLLER_TEXT_MAX, description },
});

const QUERY = {
  type: "object",
  required: ["controllerId"],
  properties: {
    controllerId: {
      ...{ type: "string", pattern: CONTROLLER_ID_PATTERN },
      description: "Its own among all controllers of the organization, and the same each time",
    },
    marks: {
      ...{ type: "string", enum: ["0", "1"] },
      description: "1: the controller reports how far a document is",
    },
    name: text("What people call it"),
    appVersion: text("Of the app"),
    deviceModel: text("Of the phone, tablet or computer"),
    osVersion: text("Of its system"),
    locationId: text("The shop it is in"),
  },
};

/** The document as its file holds it. @param version of the gateway */
export function asyncApiText(version: string): string {
  return `${JSON.stringify(controllerAsyncApi(version), null, 2)}\n`;
}

function controllerAsyncApi(version: string): Record<string, unknown> {
  const messages: Schemas = { ...TO_GATEWAY, ...TO_CONTROLLER };
  const channel = "#/channels/controller";
  return {
    asyncapi: "3.0.0",
    info: {
      title: "fiscald controller protocol",
      version,
      description:
        "What an app beside fiscal printers and the gateway say to each other, from the app's side. " +
        "The rules between the messages are in docs/controller-protocol.md, which a gateway shows at " +
        "/docs/controller-protocol.html.",
    },
    defaultContentType: "application/json",
    servers: {
      gateway: {
        ...{ host: "{host}", protocol: "wss" },
        description: "The gateway of a shop; ws in a network that is trusted",
        variables: { host: { description: "As the shop's tills know it: shop.example:8080" } },
        security: [{ $ref: "#/components/securitySchemes/key" }],
      },
    },
    channels: {
      controller: {
        address: "/api/v1/controllers/connect",
        description: `A WebSocket, subprotocol ${CONTROLLER_SUBPROTOCOL}; each text is one message`,
        messages: mapped(messages, (name) => ({ $ref: `#/components/messages/${name}` })),
        bindings: { ws: { method: "GET", query: QUERY, bindingVersion: "0.1.0" } },
      },
    },
    operations: {
      sayToGateway: operation("send", channel, TO_GATEWAY),
      hearFromGateway: operation("receive", channel, TO_CONTROLLER),
    },
    components: {
      messages: mapped(messages, (name, { description, ...payload }) => ({
        ...{ name, title: name },
        ...(description === undefined ? {} : { summary: description }),
        // Without what TypeBox keeps beside the schema.
        payload: JSON.parse(JSON.stringify(payload)),
      })),
      securitySchemes: {
        key: {
          ...{ type: "http", scheme: "bearer" },
          description: "An API key of scope devices:write, or an access token that covers it",
        },
      },
    },
  };
}

function operation(action: "send" | "receive", channel: string, schemas: Schemas) {
  return {
    action,
    channel: { $ref: channel },
    messages: Object.keys(schemas).map((name) => ({ $ref: `${channel}/messages/${name}` })),
  };
}

function mapped<T>(schemas: Schemas, make: (name: string, schema: TSchema) => T) {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, make(name, schema)]),
  );
}
