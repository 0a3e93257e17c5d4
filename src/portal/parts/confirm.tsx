/** Asks once more, where something prints or is lost, and says exactly what. */

import { Button, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "../words/words.tsx";
import styles from "./confirm.module.css";

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
  readonly isBusy?: boolean;
  /** What is asked besides. */
  readonly children?: ReactNode;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm(props: ConfirmProps) {
  const { isOpen, title, text, action, isDanger = false, isBusy = false, children } = props;
  const { t } = useWords();
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
          <Button variant="default" onClick={props.onClose}>
            {t("confirm.cancel")}
          </Button>
          <Button
            {...(isDanger ? { color: "red.9" } : {})}
            loading={isBusy}
            onClick={props.onConfirm}
            data-autofocus
          >
            {action}
          </Button>
        </div>
      </Stack>
    </Modal>
  );
}
