/** Cashiers as the printer knows them: a number, a name that it prints, a password never shown. */

import { Button, NumberInput, PasswordInput, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Body } from "../../../api/queries.ts";
import { Form } from "../../../parts/form.tsx";
import { useWords } from "../../../words/words.tsx";
import type { Printer, TabProps } from "../tab.ts";
import { usePrinterRead } from "./live-read.ts";
import { Part } from "./part.tsx";
import { SettingState, useSetting } from "./setting.tsx";
import styles from "./setup.module.css";

type Limits = Body<"/api/v1/devices/{deviceId}/operator-capabilities">["capabilities"];
type Operator = Body<"/api/v1/devices/{deviceId}/operators">["operators"][number];

export function Operators({ printer }: Pick<TabProps, "printer">) {
  const { t } = useWords();
  const limits = usePrinterRead("/api/v1/devices/{deviceId}/operator-capabilities", printer);
  const isListed = limits.data?.capabilities.canGetOperators === true;
  const list = usePrinterRead("/api/v1/devices/{deviceId}/operators", printer, isListed);
  return (
    <Part
      printer={printer}
      title={t("setting.operators")}
      text={t("setting.operatorsText")}
      reads={isListed ? [limits, list] : [limits]}
      cannot={t("setting.operatorsCannot")}
    >
      {() =>
        limits.data !== undefined && (
          <OperatorList
            printer={printer}
            limits={limits.data.capabilities}
            operators={isListed ? (list.data?.operators ?? []) : undefined}
          />
        )
      }
    </Part>
  );
}

interface OperatorListProps {
  readonly printer: Printer;
  readonly limits: Limits;
  /** Undefined where the printer does not tell them. */
  readonly operators: readonly Operator[] | undefined;
}

function OperatorList({ printer, limits, operators }: OperatorListProps) {
  const { t } = useWords();
  const [chosen, setChosen] = useState<number>();
  if (operators === undefined) {
    return (
      <>
        <p className="aside">{t("setting.operatorsUnlisted")}</p>
        <OperatorForm printer={printer} limits={limits} />
      </>
    );
  }
  return (
    <ul className={styles.rows}>
      {operators.map((operator) => (
        <li key={operator.operatorId} className={styles.row}>
          <span className={styles.cashier}>
            <span className="aside">
              {t("setting.operatorNumber", { number: operator.operatorId })}
            </span>{" "}
            <strong translate="no">{operator.name}</strong>
          </span>
          {chosen === operator.operatorId ? (
            <OperatorForm
              printer={printer}
              limits={limits}
              operator={operator}
              close={() => setChosen(undefined)}
            />
          ) : (
            <Button
              variant="default"
              aria-label={t("setting.changeNumber", { number: operator.operatorId })}
              onClick={() => setChosen(operator.operatorId)}
            >
              {t("setting.change")}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

interface OperatorFormProps {
  readonly printer: Printer;
  readonly limits: Limits;
  /** Whom it is about; undefined where the reader says the number. */
  readonly operator?: Operator;
  readonly close?: () => void;
}

function OperatorForm({ printer, limits, operator, close }: OperatorFormProps) {
  const { t } = useWords();
  const { maxOperators, maxNameLength } = limits;
  const [number, setNumber] = useState(operator?.operatorId ?? 1);
  const [name, setName] = useState(operator?.name ?? "");
  const [passwords, setPasswords] = useState(NO_PASSWORDS);
  const { password, oldPassword } = passwords;
  const setting = useSetting(printer, {
    changed: ["/api/v1/devices/{deviceId}/operators"],
    saved: () => setPasswords(NO_PASSWORDS),
  });
  const needsOld =
    password !== "" && limits.passwordChangeRequiresOldPassword && oldPassword === "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "" || needsOld || setting.isBusy) return;
    setting.order.mutate({
      type: "set_operator",
      payload: {
        ...{ operatorId: number, name: name.trim() },
        ...(password === "" ? {} : { password }),
        ...(oldPassword === "" ? {} : { oldPassword }),
      },
    });
  };
  return (
    <Form className={styles.operator} onSubmit={submit} autoComplete="off">
      {operator === undefined && (
        <NumberInput
          label={t("setting.operator")}
          min={1}
          max={maxOperators}
          allowDecimal={false}
          size="md"
          value={number}
          onChange={(value) => setNumber(Number(value))}
        />
      )}
      <TextInput
        label={t("setting.operatorName")}
        description={t("setting.operatorNameText", { max: maxNameLength })}
        maxLength={maxNameLength}
        value={name}
        data-autofocus
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
      <Passwords limits={limits} draft={passwords} needsOld={needsOld} onChange={setPasswords} />
      <div className={styles.ends}>
        <Button type="submit" disabled={name.trim() === "" || needsOld} loading={setting.isBusy}>
          {t("save.save")}
        </Button>
        {close !== undefined && (
          <Button variant="default" onClick={close}>
            {t("setting.close")}
          </Button>
        )}
        <SettingState {...setting} />
      </div>
    </Form>
  );
}

const NO_PASSWORDS = { password: "", oldPassword: "" };

interface PasswordsProps {
  readonly limits: Limits;
  readonly draft: typeof NO_PASSWORDS;
  readonly needsOld: boolean;
  readonly onChange: (draft: typeof NO_PASSWORDS) => void;
}

function Passwords({ limits, draft, needsOld, onChange }: PasswordsProps) {
  const { t } = useWords();
  const { supportsPassword, passwordChangeRequiresOldPassword, maxPasswordLength } = limits;
  return (
    <>
      {passwordChangeRequiresOldPassword && (
        <PasswordInput
          label={t("setting.oldPassword")}
          description={t("setting.oldPasswordText")}
          autoComplete="off"
          size="md"
          maxLength={maxPasswordLength}
          value={draft.oldPassword}
          error={needsOld && t("setting.oldPasswordNeeded")}
          onChange={({ currentTarget: { value } }) => onChange({ ...draft, oldPassword: value })}
        />
      )}
      {supportsPassword && (
        <PasswordInput
          label={t("setting.password")}
          description={t("setting.passwordText", { max: maxPasswordLength })}
          autoComplete="new-password"
          size="md"
          maxLength={maxPasswordLength}
          value={draft.password}
          onChange={({ currentTarget: { value } }) => onChange({ ...draft, password: value })}
        />
      )}
    </>
  );
}
