/** The end of a form that is saved by itself: its button, *Saved* in place, or why it was not. */

import { Button, type ButtonProps } from "@mantine/core";
import { useWords } from "../words/words.tsx";
import { CopyText } from "./copy-text.tsx";
import { Notice } from "./notice.tsx";
import { fieldFaults, type Reasons, reasonFor } from "./reason-for.ts";
import styles from "./save-row.module.css";
import { StateMark } from "./state-mark.tsx";

interface SaveRowProps {
  /** What `useMutation` gives. */
  readonly saving: {
    readonly isPending: boolean;
    readonly isSuccess: boolean;
    readonly error: Error | null;
  };
  /** True while the form says something else than what is stored: where it does not there is nothing to save. */
  readonly isChanged: boolean;
  /** What the gateway's codes mean here. */
  readonly reasons?: Reasons;
  /** The button's word; *Save* unless given. */
  readonly action?: string;
  readonly variant?: ButtonProps["variant"];
  readonly isDisabled?: boolean;
}

export function SaveRow(props: SaveRowProps) {
  const { saving, isChanged, reasons, action } = props;
  const { variant = "filled", isDisabled = false } = props;
  const { t } = useWords();
  const { isPending, isSuccess, error } = saving;
  return (
    <>
      <div className={styles.row}>
        <Button
          type="submit"
          variant={variant}
          loading={isPending}
          disabled={isDisabled || !isChanged}
        >
          {action ?? t("save.save")}
        </Button>
        <span role="status">
          {isSuccess && !isChanged && <StateMark mood="good" word={t("save.saved")} />}
        </span>
      </div>
      {/* Below, so that the button keeps its place when it is pressed once more. */}
      {error !== null && <Notice mood="bad" text={t(reasonFor(error, reasons))} />}
      {error !== null && fieldFaults(error).map((fault) => <CopyText key={fault} text={fault} />)}
    </>
  );
}
