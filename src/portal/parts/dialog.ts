/** What every dialog does: its keys go back to where it was opened, and the back button closes it. */

import { useBackCloses } from "./back-closes.ts";
import { useFocusBack } from "./focus-back.ts";

/** @param close as by its own button for going back */
export function useDialog(isOpen: boolean, close: () => void): void {
  useFocusBack(isOpen);
  useBackCloses(isOpen, close);
}
