/** A form whose fields stand below each other. */

import { Stack } from "@mantine/core";
import type { FormEventHandler, ReactNode } from "react";

interface FormStackProps {
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly children: ReactNode;
}

export function FormStack({ onSubmit, children }: FormStackProps) {
  return (
    <form onSubmit={onSubmit}>
      <Stack maw={480}>{children}</Stack>
    </form>
  );
}
