/** Yes with its number, no, or how to find out. */

import { Button, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answer, type GatewayError } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/hooks.ts";
import type { Command } from "../../parts/command-state.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { CopyText } from "../../parts/copy-text.tsx";
import { Form } from "../../parts/form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { noWord } from "../../parts/outcome-words.ts";
import { useWords, type Word } from "../../words/words.tsx";
import styles from "./doubtful.module.css";
import { FindOut } from "./find-out.tsx";
import { NumberOnPaper } from "./number-on-paper.tsx";

/** What a person answers. */
export interface Said {
  readonly outcome: "printed" | "not_printed";
  readonly fiscalId?: string;
}

type Step = "asked" | "printed" | "not_printed" | "find_out";

/** Documents with a number of their own that the stored receipt needs. */
const NUMBERED: readonly Command["type"][] = [
  "print_receipt",
  "print_reversal_receipt",
  "void_receipt",
];

interface AnswersProps {
  readonly command: Command;
  readonly settle: Settling;
  /** Its name; undefined once it is removed. */
  readonly printer: string | undefined;
  /** It was called not printed before, and is open at the printer. */
  readonly standsOpen: boolean;
}

export function Answers({ command, settle, printer, standsOpen }: AnswersProps) {
  const { t } = useWords();
  const may = useMay("operator");
  const [step, setStep] = useState<Step>("asked");
  const back = () => {
    settle.reset();
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
      <Button size="lg" fullWidth onClick={() => setStep("printed")}>
        {t("doubtful.yes")}
      </Button>
      <Button size="lg" fullWidth variant="default" onClick={() => setStep("not_printed")}>
        {t("doubtful.no")}
      </Button>
      <Button size="lg" fullWidth variant="subtle" onClick={() => setStep("find_out")}>
        {t("doubtful.cannotTell")}
      </Button>
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
  const isNumbered = NUMBERED.includes(command.type);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // As the printer itself tells it: zeros in front are only printed.
    say(number.trim().replace(/^0+(?=\d+$)/, ""));
  };
  return (
    <Form className={styles.step} onSubmit={submit}>
      {isNumbered ? (
        <>
          <TextInput
            label={t("doubtful.number")}
            description={t("doubtful.numberAbout")}
            classNames={{ description: "quiet" }}
            inputMode="numeric"
            autoComplete="off"
            size="lg"
            data-autofocus
            autoFocus
            value={number}
            onChange={({ currentTarget: { value } }) => setNumber(value)}
          />
          <NumberOnPaper command={command} number={number} />
        </>
      ) : (
        <p className={styles.about}>{t("doubtful.yesText")}</p>
      )}
      <Refusal error={error} />
      <Button
        type="submit"
        size="lg"
        loading={isBusy}
        disabled={isNumbered && number.trim() === ""}
      >
        {t("doubtful.yesAction")}
      </Button>
      {isNumbered && (
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

function Refusal({ error }: { readonly error: GatewayError | null }) {
  const { t } = useWords();
  if (error === null) return null;
  const reached = reachedOf(error);
  if (reached !== undefined)
    return <Notice mood="bad" text={t("doubtful.notReached", { reached })} />;
  return (
    <Notice mood="bad" text={t(wordOf(error))}>
      {error.status === 409 && <CopyText text={error.message} />}
    </Notice>
  );
}

/** The highest number that the printer has told of, where the one that was said is above it. */
function reachedOf({ details }: GatewayError): string | undefined {
  if (typeof details !== "object" || details === null || !("reached" in details)) return undefined;
  // As it stands on paper, without marks between thousands.
  return String(details.reached);
}

function wordOf({ status, code }: GatewayError): Word {
  if (status === undefined) return "doubtful.noAnswer";
  if (status === 409) return "doubtful.conflict";
  if (code === "VALIDATION_ERROR") return "doubtful.badNumber";
  return status === 403 ? "states.forbidden.text" : "doubtful.notTaken";
}
