/** Looks for printers and shows what came of it: each find, and why an address gave nothing. */

import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { type components, GatewayError } from "../../../client/index.ts";
import { detect, type Find, type Probing, type Search, type Wish } from "../../api/detect.ts";
import { useWords } from "../../words/words.tsx";
import { addressText } from "../address-text.ts";
import { Form } from "../form.tsx";
import { Notice } from "../notice.tsx";
import { type Reasons, reasonFor } from "../reason-for.ts";
import type { AddingProps } from "./adding.ts";
import { FoundPrinter } from "./found-printer.tsx";
import styles from "./printer-search.module.css";

type Device = components["schemas"]["Device"];

interface PrinterSearchProps extends AddingProps {
  readonly known: readonly Device[];
}

export function PrinterSearch({ known, ...adding }: PrinterSearchProps) {
  const { t } = useWords();
  const [host, setHost] = useState("");
  const [refused, setRefused] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const { search, probing, finds, knownBefore } = useSearch(known);
  const lookAtPorts = () => search.mutate({ transport: "serial" });
  const lookInNetwork = (event: FormEvent) => {
    event.preventDefault();
    search.mutate(networkWish(host), {
      onError(error) {
        if (!isNoAddress(error)) return;
        setRefused(host);
        field.current?.focus();
      },
    });
  };
  return (
    <>
      <h2 className={styles.heading}>{t("setup.printer.cable")}</h2>
      <p className="quiet">{t("setup.printer.cableText")}</p>
      <div>
        <Button variant="default" disabled={search.isPending} onClick={lookAtPorts}>
          {t("setup.printer.lookAgain")}
        </Button>
      </div>
      <h2 className={styles.heading}>{t("setup.printer.network")}</h2>
      <Form className={styles.search} onSubmit={lookInNetwork}>
        <TextInput
          label={t("setup.printer.host")}
          description={t("setup.printer.hostText")}
          ref={field}
          required
          withAsterisk={false}
          value={host}
          error={host === refused && t("setup.printer.noAddress")}
          onChange={({ currentTarget: { value } }) => setHost(value)}
        />
        <Button type="submit" variant="default" disabled={search.isPending}>
          {t("setup.printer.look")}
        </Button>
      </Form>
      <h2 className={styles.heading}>{t("setup.printer.outcome")}</h2>
      <div aria-live="polite" className={styles.outcome}>
        {search.isPending && <Looking probing={probing} />}
        {search.isError && !isNoAddress(search.error) && (
          <Notice mood="warn" text={t(reasonFor(search.error, SEARCHING))} />
        )}
        <Finds finds={finds} known={known} {...adding} />
        {search.data !== undefined && (
          <Outcome search={search.data} finds={finds} known={known} knownBefore={knownBefore} />
        )}
      </div>
    </>
  );
}

/** Why a search came to nothing. */
const SEARCHING: Reasons = {
  CONFLICT: "setup.printer.searchFailed",
  INTERNAL_ERROR: "setup.printer.searchFailed",
};

/** Told at the field: nothing else in a search can be refused so. */
function isNoAddress(error: Error | null): boolean {
  return error instanceof GatewayError && error.code === "VALIDATION_ERROR";
}

/** One search at a time; the first begins by itself, at the ports. */
function useSearch(known: readonly Device[]) {
  const [probing, setProbing] = useState<Probing>();
  const [finds, setFinds] = useState<readonly Find[]>([]);
  const [knownBefore, setKnownBefore] = useState(known);
  const stop = useRef<AbortController>(undefined);
  const search = useMutation({
    onMutate: () => setKnownBefore(known),
    mutationFn: (wish: Wish) => {
      stop.current?.abort();
      const own = new AbortController();
      stop.current = own;
      setProbing(undefined);
      setFinds([]);
      return detect(wish, {
        probing: setProbing,
        found: (find) => setFinds((before) => [...before, find]),
        signal: own.signal,
      });
    },
    // What has been shown stays where it is, and is not taken for another at its second address.
    onSuccess: ({ found }) => setFinds((before) => [...before, ...newIn(found, before)]),
  });
  const { mutate } = search;
  useEffect(() => {
    mutate({ transport: "serial" });
    return () => stop.current?.abort();
  }, [mutate]);
  return { search, probing, finds, knownBefore };
}

function newIn(found: readonly Find[], before: readonly Find[]): Find[] {
  const isSame = (one: Find, other: Find) =>
    addressText(one.connectionParams) === addressText(other.connectionParams) ||
    (one.serialNumber !== null && one.serialNumber === other.serialNumber);
  return found.filter((find) => !before.some((other) => isSame(find, other)));
}

/** `192.168.1.50` or `printer.shop:4999`. */
function networkWish(text: string): Wish {
  const [, host = text, port] = /^(.*?)(?::(\d+))?$/.exec(text.trim()) ?? [];
  return { transport: "tcp", host, ...(port === undefined ? {} : { port: Number(port) }) };
}

function Looking({ probing }: { readonly probing: Probing | undefined }) {
  const { t } = useWords();
  const address = probing === undefined ? "" : addressText(probing.connectionParams);
  return (
    <Notice
      mood="work"
      text={
        probing === undefined ? t("setup.printer.looking") : t("setup.printer.asking", { address })
      }
    >
      {probing !== undefined && (
        <progress
          value={probing.done}
          max={probing.total}
          aria-label={t("setup.printer.looking")}
        />
      )}
    </Notice>
  );
}

const isKnown = (known: readonly Device[], { connectionParams }: Pick<Find, "connectionParams">) =>
  known.some((device) => addressText(device.connectionParams) === addressText(connectionParams));

interface FindsProps extends PrinterSearchProps {
  /** As they have answered. */
  readonly finds: readonly Find[];
}

/** Each as it answers: nobody waits for the last port to see the printer at the first. */
function Finds({ finds, known, ...adding }: FindsProps) {
  return (
    <ul className={styles.list}>
      {finds
        .filter((find) => !isKnown(known, find))
        .map((find) => (
          <FoundPrinter
            key={addressText(find.connectionParams)}
            find={find}
            number={known.length + 1}
            {...adding}
          />
        ))}
    </ul>
  );
}

interface OutcomeProps extends Pick<FindsProps, "finds" | "known"> {
  readonly search: Search;
  /** What was known when it began: a find that was added since is no failure. */
  readonly knownBefore: readonly Device[];
}

/** What came of the other addresses, once the search is over. */
function Outcome({ search: { tried }, finds, known, knownBefore }: OutcomeProps) {
  const { t } = useWords();
  const others = Map.groupBy(
    tried.filter((one) => one.outcome !== "found" && !isKnown(known, one)),
    ({ outcome }) => outcome,
  );
  return (
    <>
      {finds.every((find) => isKnown(knownBefore, find)) && (
        <Notice mood="idle" text={t("setup.printer.nothing")} />
      )}
      {[...others].map(([outcome, addresses]) => (
        <Notice
          key={outcome}
          mood={outcome === "not_tried" ? "idle" : "warn"}
          text={t(`detect.${outcome}`, {
            addresses: addresses.map((one) => addressText(one.connectionParams)).join(", "),
          })}
        />
      ))}
    </>
  );
}
