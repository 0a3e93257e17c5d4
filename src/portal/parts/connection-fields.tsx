/** Where a printer is and whose it is, as it is typed. */

import { Autocomplete, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { components } from "../../client/index.ts";
import { read } from "../api/queries.ts";
import { useWords } from "../words/words.tsx";
import { DRIVER_CHOICES, type Driver, FIRST_PORTS, isDriver } from "./drivers.ts";

const TRANSPORTS = ["tcp", "serial", "bluetooth"] as const;
type Transport = (typeof TRANSPORTS)[number];

/** What the fields say. */
export interface ConnectionDraft {
  readonly driver: Driver;
  readonly transport: Transport;
  readonly host: string;
  readonly port: string;
  /** Of a cable or of Bluetooth. */
  readonly address: string;
}

/** As a printer has it. */
export function draftOf({
  driver,
  transport,
  connectionParams,
}: components["schemas"]["Device"]): ConnectionDraft {
  const own = "host" in connectionParams ? connectionParams : undefined;
  return {
    driver,
    transport: transport === "simulated" ? "tcp" : transport,
    host: own?.host ?? "",
    port: own === undefined ? "" : String(own.port),
    address: "address" in connectionParams ? connectionParams.address : "",
  };
}

/** As the API takes it. */
export function connectionBody({ driver, transport, host, port, address }: ConnectionDraft) {
  const connectionParams =
    transport === "tcp" ? { host: host.trim(), port: Number(port) } : { address: address.trim() };
  return { driver, transport, connectionParams };
}

interface ConnectionFieldsProps {
  readonly draft: ConnectionDraft;
  readonly onChange: (draft: ConnectionDraft) => void;
}

export function ConnectionFields({ draft, onChange }: ConnectionFieldsProps) {
  const { t } = useWords();
  const { driver, transport, host, port } = draft;
  return (
    <>
      <NativeSelect
        label={t("connection.maker")}
        description={t("connection.makerText")}
        value={driver}
        data={DRIVER_CHOICES}
        onChange={({ currentTarget: { value } }) => {
          if (isDriver(value)) onChange({ ...draft, driver: value });
        }}
      />
      <NativeSelect
        label={t("connection.way")}
        value={transport}
        data={TRANSPORTS.map((value) => ({ value, label: t(`connection.way.${value}`) }))}
        onChange={({ currentTarget: { value } }) => {
          const way = TRANSPORTS.find((one) => one === value);
          if (way !== undefined) onChange({ ...draft, transport: way, address: "" });
        }}
      />
      {transport === "tcp" ? (
        <>
          <TextInput
            label={t("connection.host")}
            description={t("setup.printer.hostText")}
            required
            withAsterisk={false}
            value={host}
            onChange={({ currentTarget: { value } }) => onChange({ ...draft, host: value })}
          />
          <TextInput
            label={t("connection.port")}
            description={t("connection.portText", { port: String(FIRST_PORTS[driver]) })}
            required
            withAsterisk={false}
            inputMode="numeric"
            pattern="[0-9]{1,5}"
            value={port}
            onChange={({ currentTarget: { value } }) => onChange({ ...draft, port: value })}
          />
        </>
      ) : (
        <AddressField draft={draft} onChange={onChange} />
      )}
    </>
  );
}

/** A port of the box is chosen, where it knows any. */
function AddressField({ draft, onChange }: ConnectionFieldsProps) {
  const { t } = useWords();
  const isSerial = draft.transport === "serial";
  const { data } = useQuery({ ...read("/api/v1/devices/ports"), enabled: isSerial });
  const ports = (data?.ports ?? []).map(({ path, byId }) => byId ?? path);
  return (
    <Autocomplete
      label={t(isSerial ? "connection.port" : "connection.bluetooth")}
      description={t(isSerial ? "connection.serialText" : "connection.bluetoothText")}
      size="md"
      required
      withAsterisk={false}
      data={isSerial ? ports : []}
      value={draft.address}
      onChange={(address) => onChange({ ...draft, address })}
    />
  );
}
