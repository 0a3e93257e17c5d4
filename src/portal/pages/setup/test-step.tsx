/** Step 5: a slip that counts for nothing. Did paper come out? */

import { Anchor, Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { components } from "../../../client/index.ts";
import { useOrganization } from "../../api/hooks.ts";
import { read } from "../../api/queries.ts";
import { CommandProgress } from "../../parts/command-progress.tsx";
import { isUnderWay } from "../../parts/command-state.ts";
import { type Driver, printable } from "../../parts/drivers.ts";
import { NotAsked } from "../../parts/not-asked.tsx";
import { Notice } from "../../parts/notice.tsx";
import { isOpen, useOrder } from "../../parts/order.ts";
import { Empty, PageStates } from "../../parts/page-states.tsx";
import { Paper } from "../../parts/paper.tsx";
import { PracticeNote } from "../../parts/practice.tsx";
import { printerChoices } from "../../parts/printer-choices.ts";
import { useFormat, useWords } from "../../words/words.tsx";
import styles from "./setup.module.css";
import type { StepProps } from "./steps.ts";

type Device = components["schemas"]["Device"];
/** The button among the printer's. */
const TEST = "test";

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
  const [deviceId, setDeviceId] = useState(() => firstToTry(devices));
  const printer = devices.find(({ id }) => id === deviceId);
  return (
    <div className={styles.form}>
      <p>{t("setup.test.text")}</p>
      {devices.length > 1 && (
        <NativeSelect
          label={t("setup.test.printer")}
          data={printerChoices(devices, t)}
          value={deviceId}
          onChange={({ currentTarget: { value } }) => setDeviceId(value)}
        />
      )}
      {/* What came of one printer says nothing about another. */}
      {printer !== undefined && <TestSlip key={printer.id} printer={printer} next={next} />}
    </div>
  );
}

/** The one that was tried when the page was loaded anew, else one that is real. */
function firstToTry(devices: readonly Device[]): string | undefined {
  const tried = devices.find((device) => isOpen(device, TEST));
  return (tried ?? devices.find(({ simulated }) => !simulated) ?? devices[0])?.id;
}

interface TestSlipProps {
  readonly printer: Device;
  readonly next: () => void;
}

function TestSlip({ printer, next }: TestSlipProps) {
  const { t } = useWords();
  const lines = useSlip(printer.driver);
  const order = useOrder(printer, { name: TEST });
  const [isMissing, setMissing] = useState(false);
  const commandId = order.data?.id;
  const command = useCommand(commandId);
  const isReached = printer.effectiveStatus === "online";
  const isPrinted = command?.status === "completed";
  const isAtWork = commandId !== undefined && (command === undefined || isUnderWay(command));
  const print = () => {
    setMissing(false);
    order.press({ type: "non_fiscal_receipt", payload: { lines } });
  };
  return (
    <>
      {printer.simulated && (
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
      <NotAsked order={order} />
      {commandId !== undefined && !isPrinted && <CommandProgress commandId={commandId} />}
      {isPrinted && <Printed {...{ printer, next, isMissing }} miss={() => setMissing(true)} />}
      <div className={styles.ends}>
        <Button variant="default" onClick={next}>
          {t("setup.later")}
        </Button>
        <Button
          variant={isPrinted && !isMissing ? "default" : "filled"}
          loading={order.isPending || isAtWork}
          disabled={!isReached}
          onClick={print}
        >
          {/* It keeps its word, and so its width, until there is an answer. */}
          {t(command === undefined || isAtWork ? "setup.test.print" : "setup.test.again")}
        </Button>
      </div>
    </>
  );
}

function useCommand(commandId: string | undefined) {
  const { data } = useQuery({
    ...read("/api/v1/commands/{commandId}", { path: { commandId: commandId ?? "" } }),
    enabled: commandId !== undefined,
  });
  return commandId === undefined ? undefined : data?.command;
}

interface PrintedProps extends TestSlipProps {
  /** No paper has come out. */
  readonly isMissing: boolean;
  readonly miss: () => void;
}

/** Nobody is asked for the paper of a practice printer. */
function Printed({ printer, next, isMissing, miss }: PrintedProps) {
  const { t } = useWords();
  if (printer.simulated) {
    return (
      <Notice mood="good" text={t("setup.test.practised", { printer: printer.name })}>
        <Button onClick={next}>{t("setup.next")}</Button>
      </Notice>
    );
  }
  if (isMissing) {
    return (
      <Notice mood="warn" text={t("setup.test.missing")}>
        <Button variant="default" onClick={next}>
          {t("setup.test.yes")}
        </Button>
      </Notice>
    );
  }
  return (
    <Notice mood="good" text={t("setup.test.question")}>
      <Button variant="default" onClick={miss}>
        {t("setup.test.no")}
      </Button>
      <Button onClick={next}>{t("setup.test.yes")}</Button>
    </Notice>
  );
}

function useSlip(driver: Driver): string[] {
  const { t } = useWords();
  const format = useFormat();
  const shop = useOrganization()?.name ?? "";
  const [at] = useState(() => Date.now());
  const [title, ...others] = [
    ...[t("setup.test.line1"), shop.slice(0, 40), format.dateTime(at), t("setup.test.line2")],
  ].map((line) => printable(driver, line));
  return [title || "TEST", ...others.filter((line) => line !== "")];
}
