/** A password that is chosen now. */

import { PasswordInput } from "@mantine/core";
import { useWords } from "../words/words.tsx";

const PASSWORD_MIN = 10;
const PASSWORD_MAX = 128;

interface NewPasswordProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (password: string) => void;
}

export function NewPassword({ label, value, onChange }: NewPasswordProps) {
  const { t } = useWords();
  return (
    <PasswordInput
      label={label}
      description={t("setup.owner.passwordText", { count: PASSWORD_MIN })}
      autoComplete="new-password"
      required
      withAsterisk={false}
      minLength={PASSWORD_MIN}
      maxLength={PASSWORD_MAX}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      visibilityToggleButtonProps={{ "aria-label": t("login.show") }}
    />
  );
}
