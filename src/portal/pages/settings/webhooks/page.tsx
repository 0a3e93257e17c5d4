/** Webhooks: all of them, a new one, or one with what was sent to it, by what the address says. */

import { useParams } from "wouter";
import { WebhookList } from "./list.tsx";
import { NewWebhook } from "./new.tsx";
import { OneWebhook } from "./one.tsx";

export default function WebhooksPage() {
  const { webhookId } = useParams();
  if (webhookId === undefined) return <WebhookList />;
  return webhookId === "new" ? <NewWebhook /> : <OneWebhook key={webhookId} id={webhookId} />;
}
