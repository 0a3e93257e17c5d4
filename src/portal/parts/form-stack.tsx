/** A form whose fields stand below each other. */

import { Stack } from "@mantine/core";
import type { FormEventHandler, ReactNode } from "react";
import { Form } from "./form.tsx";

interface FormStackProps {
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly children: ReactNode;
}

export function FormStack({ onSubmit, children }: FormStackProps) {
  return (
    <Form onSubmit={onSubmit}>
      <Stack maw={480}>{children}</Stack>
    </Form>
  );
}
