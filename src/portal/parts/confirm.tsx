/** Asks once more, where something prints or is lost, and says exactly what. */

import { Button, Modal, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useWords } from "../words/words.tsx";
import styles from "./confirm.module.css";
import { useDialog } from "./dialog.ts";
import { Late } from "./late.tsx";
import { Notice } from "./notice.tsx";

interface ConfirmProps {
  readonly isOpen: boolean;
  /** A question that can be answered by the button's word. */
  readonly title: string;
  /** What happens then. */
  readonly text: string;
  /** The button's word: "Print the Z report", never "OK". */
  readonly action: string;
  /** True where something is lost. */
  readonly isDanger?: boolean;
  /** True where it cannot be taken back: whoever only presses Enter goes back. True with `isDanger`. */
  readonly isFinal?: boolean;
  readonly isBusy?: boolean;
  /** True where it is being done already, by somebody else. */
  readonly isDone?: boolean;
  /** What is so while the box does not answer, and what going back does then. */
  readonly late?: string;
  /** Why it did not work, in words. */
  readonly failure?: string | undefined;
  /** What is asked besides. */
  readonly children?: ReactNode;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm(props: ConfirmProps) {
  const { isOpen, title, text, action, isDanger = false, isBusy = false, children } = props;
  const { t } = useWords();
  const { isFinal = isDanger, isDone = false } = props;
  const failure = useKept(props.failure, isBusy);
  useDialog(isOpen, props.onClose);
  const confirm = useOnce(props.onConfirm, isOpen && !isBusy);
  return (
    <Modal
      opened={isOpen}
      onClose={props.onClose}
      title={title}
      closeButtonProps={{ "aria-label": t("confirm.cancel") }}
    >
      <Stack>
        <Text>{text}</Text>
        {children}
        <div className={styles.ends}>
          <Button variant="default" onClick={props.onClose} data-autofocus={isFinal || undefined}>
            {t("confirm.cancel")}
          </Button>
          <Button
            {...(isDanger ? { color: "red.9" } : {})}
            loading={isBusy}
            disabled={isDone}
            onClick={confirm}
            data-autofocus={!isFinal || undefined}
          >
            {action}
          </Button>
        </div>
        {props.late !== undefined && <Late isBusy={isBusy} text={props.late} />}
        {failure !== undefined && <Notice mood="bad" text={failure} />}
      </Stack>
    </Modal>
  );
}

/** The second click of a double click finds the question answered, before anything is drawn anew. */
function useOnce(act: () => void, isReady: boolean): () => void {
  const isAnswered = useRef(false);
  useEffect(() => {
    if (isReady) isAnswered.current = false;
  }, [isReady]);
  return () => {
    if (!isReady || isAnswered.current) return;
    isAnswered.current = true;
    act();
  };
}

/** The last failure stays while it is tried again: the buttons keep their place under the finger. */
function useKept(failure: string | undefined, isBusy: boolean): string | undefined {
  const [kept, keep] = useState(failure);
  if (isBusy || kept === failure) return kept;
  keep(failure);
  return failure;
}
