/** Asks something of a printer once, however often the button is pressed. */

import { useMutation } from "@tanstack/react-query";
import type { GatewayError, Order } from "../../../../client/index.ts";
import { submit } from "../../../api/client.ts";
import { useWishKey } from "../../../parts/wish-key.ts";
import type { Printer } from "../tab.ts";

/** What an action is given. */
export interface ActionProps {
  readonly printer: Printer;
}

/** What is asked; the printer and the key are added. */
export type Wish = {
  [Type in Order["type"]]: Pick<Order<Type>, "type" | "payload">;
}[Order["type"]];

/**
 * For a button: `mutate` asks, `data` is the command. What was not answered is asked again under the
 * same key until it is, so that no money is moved twice.
 */
export function useOrder({ id: deviceId }: Printer) {
  const key = useWishKey();
  return useMutation<{ readonly id: string }, GatewayError, Wish>({
    // Which payload belongs to which type is known by who made the wish.
    mutationFn: (wish) => submit({ key: key.of(JSON.stringify(wish)), deviceId, ...wish } as Order),
    onSettled: (_, error) => key.end(error),
  });
}
