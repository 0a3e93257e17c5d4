/** What the VAT groups are called on the paper of a printer. */

import { useQuery } from "@tanstack/react-query";
import { read } from "../api/queries.ts";
import { useWords } from "../words/words.tsx";
import { type VatGroups, vatGroupsOf } from "./vat-group.ts";

/** @param deviceId whose paper has them; left out for what is of all printers of the shop */
export function useVatGroups(deviceId?: string): VatGroups {
  const { t } = useWords();
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  return vatGroupsOf(
    devices.filter(({ id, simulated }) => (deviceId === undefined ? !simulated : id === deviceId)),
    t,
  );
}
