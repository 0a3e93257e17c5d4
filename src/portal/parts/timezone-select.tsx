/** A time zone, of those that the browser knows. */

import { NativeSelect } from "@mantine/core";
import { useWords } from "../words/words.tsx";

interface TimezoneSelectProps {
  /** Empty for none of its own, where `none` says what holds then. */
  readonly value: string;
  readonly none?: string;
  /** Whose it is; the shop's unless given. */
  readonly label?: string;
  readonly description?: string;
  readonly onChange: (timezone: string) => void;
}

export function TimezoneSelect(props: TimezoneSelectProps) {
  const { value, none, label, description, onChange } = props;
  const { t } = useWords();
  const known = new Set(Intl.supportedValuesOf("timeZone"));
  if (value !== "") known.add(value);
  return (
    <NativeSelect
      label={label ?? t("setup.place.timezone")}
      {...(description === undefined ? {} : { description })}
      data={[...(none === undefined ? [] : [{ value: "", label: none }]), ...[...known].sort()]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
