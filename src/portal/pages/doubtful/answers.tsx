/** Yes with its number, no, or how to find out. */

import { Button, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answer, type GatewayError } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/hooks.ts";
import { isNumbered } from "../../parts/command-kinds.ts";
import type { Command } from "../../parts/command-state.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { Form } from "../../parts/form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { noWord } from "../../parts/outcome-words.ts";
import { useWords } from "../../words/words.tsx";
import styles from "./doubtful.module.css";
import { FindOut } from "./find-out.tsx";
import { NumberField, toldNumber } from "./number-field.tsx";
import { Refusal } from "./refusal.tsx";

/** What a person answers. */
export interface Said {
  readonly outcome: "printed" | "not_printed";
  readonly fiscalId?: string;
}

type Step = "asked" | "printed" | "not_printed" | "find_out";

interface AnswersProps {
  readonly command: Command;
  readonly settle: Settling;
  /** Its name; undefined once it is removed. */
  readonly printer: string | undefined;
  /** It was called not printed before, and is open at the printer. */
  readonly standsOpen: boolean;
}

export function Answers({ command, settle, printer, standsOpen }: AnswersProps) {
  const may = useMay("operator");
  const { t } = useWords();
  const [step, setStep] = useState<Step>("asked");
  const [left, setLeft] = useState<Step>();
  const back = () => {
    settle.reset();
    setLeft(step);
    setStep("asked");
  };
  if (!may) return <Notice mood="idle" text={t("states.forbidden.text")} />;
  if (step === "printed") {
    return (
      <Printed
        command={command}
        isBusy={settle.isPending}
        error={settle.error}
        say={(fiscalId) =>
          settle.mutate({ outcome: "printed", ...(fiscalId === "" ? {} : { fiscalId }) })
        }
        back={back}
      />
    );
  }
  if (step === "find_out") return <FindOut command={command} printer={printer} back={back} />;
  return (
    <Stack>
      <Choices left={left} choose={setStep} />
      <Confirm
        isOpen={step === "not_printed"}
        isDanger
        title={t("doubtful.noTitle")}
        text={t(standsOpen ? "doubtful.noTextOpen" : noWord(command))}
        action={t("doubtful.noAction")}
        isBusy={settle.isPending}
        onConfirm={() => settle.mutate({ outcome: "not_printed" })}
        onClose={back}
      >
        <Refusal error={settle.error} />
      </Confirm>
    </Stack>
  );
}

interface ChoicesProps {
  /** Where somebody has gone back from, whose keys go on there. */
  readonly left: Step | undefined;
  readonly choose: (step: Step) => void;
}

function Choices({ left, choose }: ChoicesProps) {
  const { t } = useWords();
  const leadingTo = (step: Step) => ({
    ...{ size: "lg", fullWidth: true, autoFocus: left === step },
    onClick: () => choose(step),
  });
  return (
    <>
      <Button {...leadingTo("printed")}>{t("doubtful.yes")}</Button>
      <Button {...leadingTo("not_printed")} variant="default">
        {t("doubtful.no")}
      </Button>
      <Button {...leadingTo("find_out")} variant="subtle">
        {t("doubtful.cannotTell")}
      </Button>
    </>
  );
}

/** Gives the answer. */
export type Settling = ReturnType<typeof useSettling>;

/** Says it, and has everything that it changes read anew. */
export function useSettling(commandId: string) {
  const cache = useQueryClient();
  return useMutation<unknown, GatewayError, Said>({
    mutationFn: (body) =>
      answer(
        api.POST("/api/v1/commands/{commandId}/resolve", { params: { path: { commandId } }, body }),
      ),
    // Also after a refusal: somebody else may have said it.
    onSettled: () => cache.invalidateQueries(),
  });
}

interface PrintedProps {
  readonly command: Command;
  readonly isBusy: boolean;
  readonly error: GatewayError | null;
  readonly say: (fiscalId: string) => void;
  readonly back: () => void;
}

function Printed({ command, isBusy, error, say, back }: PrintedProps) {
  const { t } = useWords();
  const [number, setNumber] = useState("");
  const hasNumber = isNumbered(command.type);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    say(toldNumber(number));
  };
  return (
    <Form className={styles.step} onSubmit={submit}>
      {hasNumber ? (
        <NumberField command={command} number={number} onType={setNumber} />
      ) : (
        <p className={styles.about}>{t("doubtful.yesText")}</p>
      )}
      <Refusal error={error} />
      <Button type="submit" size="lg" loading={isBusy} disabled={hasNumber && number.trim() === ""}>
        {t("doubtful.yesAction")}
      </Button>
      {hasNumber && (
        <Button variant="subtle" disabled={isBusy} onClick={() => say("")}>
          {t("doubtful.noNumber")}
        </Button>
      )}
      <Button variant="subtle" color="gray" onClick={back}>
        {t("doubtful.back")}
      </Button>
    </Form>
  );
}
