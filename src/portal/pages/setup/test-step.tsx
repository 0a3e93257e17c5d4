/** Step 5: a slip that counts for nothing. Did paper come out? */

import { Anchor, Button, NativeSelect } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { answer, type components, GatewayError } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { useOrganization } from "../../api/hooks.ts";
import { read } from "../../api/queries.ts";
import { CopyText } from "../../parts/copy-text.tsx";
import { type Driver, printable } from "../../parts/drivers.ts";
import { Notice } from "../../parts/notice.tsx";
import { Empty, PageStates } from "../../parts/page-states.tsx";
import { Paper } from "../../parts/paper.tsx";
import { PracticeNote } from "../../parts/practice.tsx";
import { printerChoices } from "../../parts/printer-choices.ts";
import { useFormat, useWords } from "../../words/words.tsx";
import styles from "./setup.module.css";
import type { StepProps } from "./steps.ts";

type Device = components["schemas"]["Device"];

export function TestStep({ next }: StepProps) {
  const { t } = useWords();
  const devices = useQuery(read("/api/v1/devices"));
  return (
    <PageStates
      query={devices}
      isEmpty={(found) => found.length === 0}
      empty={
        <Empty title={t("today.noPrinter")} text={t("setup.test.needsPrinter")}>
          <Anchor className="tap" component={Link} href="/setup/printer">
            {t("today.findPrinter")}
          </Anchor>
        </Empty>
      }
    >
      {(found) => <TestPrint devices={found} next={next} />}
    </PageStates>
  );
}

interface TestPrintProps {
  readonly devices: readonly Device[];
  readonly next: () => void;
}

function TestPrint({ devices, next }: TestPrintProps) {
  const { t } = useWords();
  const [deviceId, setDeviceId] = useState(
    (devices.find(({ simulated }) => !simulated) ?? devices[0])?.id ?? "",
  );
  const [isMissing, setMissing] = useState(false);
  // The button keeps its word, and so its width, until there is an answer.
  const [isTried, setTried] = useState(false);
  const printer = devices.find(({ id }) => id === deviceId);
  const isReached = printer?.effectiveStatus === "online";
  const lines = useSlip(printer?.driver);
  const print = useMutation({
    mutationFn: () =>
      answer(
        api.POST("/api/v1/devices/{deviceId}/non-fiscal", {
          params: { path: { deviceId } },
          body: { lines },
        }),
      ),
    onMutate: () => setMissing(false),
    onSettled: () => setTried(true),
  });
  return (
    <div className={styles.form}>
      <p>{t("setup.test.text")}</p>
      {devices.length > 1 && (
        <NativeSelect
          label={t("setup.test.printer")}
          data={printerChoices(devices, t)}
          value={deviceId}
          onChange={({ currentTarget: { value } }) => {
            // What came of one printer says nothing about another.
            print.reset();
            setMissing(false);
            setTried(false);
            setDeviceId(value);
          }}
        />
      )}
      {printer?.simulated === true && (
        <div>
          <PracticeNote of={printer} />
        </div>
      )}
      <Paper
        label={t("setup.test.slip")}
        lines={lines.map((text) => ({ kind: "left", text }))}
        note={t("setup.test.note")}
      />
      {!isReached && <Notice mood="work" text={t("setup.test.reaching")} />}
      {print.isError && <PrintFailure error={print.error} />}
      {print.isSuccess && printer?.simulated === true && (
        <Notice mood="good" text={t("setup.test.practised", { printer: printer.name })}>
          <Button onClick={next}>{t("setup.next")}</Button>
        </Notice>
      )}
      {print.isSuccess && printer?.simulated === false && !isMissing && (
        <Notice mood="good" text={t("setup.test.question")}>
          <Button variant="default" onClick={() => setMissing(true)}>
            {t("setup.test.no")}
          </Button>
          <Button onClick={next}>{t("setup.test.yes")}</Button>
        </Notice>
      )}
      {isMissing && (
        <Notice mood="warn" text={t("setup.test.missing")}>
          <Button variant="default" onClick={next}>
            {t("setup.test.yes")}
          </Button>
        </Notice>
      )}
      <div className={styles.ends}>
        <Button variant="default" onClick={next}>
          {t("setup.later")}
        </Button>
        <Button
          variant={print.isSuccess && !isMissing ? "default" : "filled"}
          loading={print.isPending}
          disabled={!isReached}
          onClick={() => print.mutate()}
        >
          {t(isTried ? "setup.test.again" : "setup.test.print")}
        </Button>
      </div>
    </div>
  );
}

function useSlip(driver: Driver | undefined): string[] {
  const { t } = useWords();
  const format = useFormat();
  const shop = useOrganization()?.name ?? "";
  const [at] = useState(() => Date.now());
  const [title, ...others] = [
    ...[t("setup.test.line1"), shop.slice(0, 40), format.dateTime(at), t("setup.test.line2")],
  ].map((line) => printable(driver, line));
  return [title || "TEST", ...others.filter((line) => line !== "")];
}

function PrintFailure({ error }: { readonly error: Error }) {
  const { t } = useWords();
  const isRefused = error instanceof GatewayError && error.status === 422;
  return (
    <>
      <Notice mood="bad" text={t(isRefused ? "setup.test.refused" : "setup.test.unreached")} />
      <CopyText text={error.message} />
    </>
  );
}
