/** Who changed what: all of it, or by whom, what and when the address names. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMay, useOrganization } from "../../../api/hooks.ts";
import { read } from "../../../api/queries.ts";
import filterStyles from "../../../parts/filters.module.css";
import {
  ChipSelect,
  type Choice,
  type ChoiceGroup,
  PeriodChips,
  useFilters,
} from "../../../parts/filters.tsx";
import { HistoryList } from "../../../parts/history-list.tsx";
import { Page } from "../../../parts/page.tsx";
import { Empty } from "../../../parts/page-states.tsx";
import { daysOf, instantsOf } from "../../../parts/period.ts";
import { useWords } from "../../../words/words.tsx";

export default function HistoryPage() {
  const { t } = useWords();
  const { params } = useFilters();
  const timezone = useOrganization()?.timezone;
  const [resource, actor] = [params.get("what") ?? "", params.get("who") ?? ""];
  const filter = {
    ...(resource === "" ? {} : { resource }),
    ...(actor === "" ? {} : { actor }),
    ...instantsOf(daysOf(params.get("period"), timezone), timezone),
  };
  return (
    <Page title={t("history.title")}>
      <p className="aside">{t("history.intro")}</p>
      <Filters />
      <HistoryList
        filter={filter}
        empty={<Empty title={t(params.size > 0 ? "history.none" : "history.empty")} />}
      />
    </Page>
  );
}

function Filters() {
  const { t } = useWords();
  const { params, clear } = useFilters();
  const { printers, people, keys, places, webhooks, controllers, shop } = useThings();
  const others = [
    { value: "box", label: capital(t("who.box")) },
    { value: "gateway", label: capital(t("who.gateway")) },
  ];
  return (
    <search className={filterStyles.bar}>
      <ChipSelect
        name="who"
        label={t("history.who")}
        all={t("history.who.all")}
        choices={withNamed(params.get("who"), t("history.thisOne"), [
          { group: t("history.group.people"), items: prefixed("user", people) },
          { group: t("history.group.keys"), items: prefixed("key", keys) },
          { group: t("history.group.controllers"), items: prefixed("controller", controllers) },
          { group: t("history.group.others"), items: others },
        ])}
      />
      <ChipSelect
        name="what"
        label={t("history.what")}
        all={t("history.what.all")}
        choices={withNamed(params.get("what"), t("history.thisOne"), [
          { group: t("nav.printers"), items: printers },
          { group: t("history.group.people"), items: people },
          { group: t("history.group.keys"), items: keys },
          { group: t("history.group.places"), items: places },
          { group: t("history.group.webhooks"), items: webhooks },
          { group: t("history.group.controllers"), items: controllers },
          { group: t("history.group.others"), items: shop },
        ])}
      />
      <PeriodChips />
      {params.size > 0 && (
        <Button variant="subtle" onClick={clear}>
          {t("filters.clear")}
        </Button>
      )}
    </search>
  );
}

/** What there is that somebody may have changed, as choices. */
function useThings() {
  const { t } = useWords();
  const enabled = useMay("admin");
  const organization = useOrganization();
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  const { data: members } = useQuery({ ...read("/api/v1/org/members"), enabled });
  const { data: keys = [] } = useQuery({ ...read("/api/v1/org/api-keys"), enabled });
  const { data: locations } = useQuery({ ...read("/api/v1/org/locations"), enabled });
  const { data: webhooks } = useQuery({ ...read("/api/v1/org/webhooks"), enabled });
  const { data: controllers } = useQuery({ ...read("/api/v1/controllers"), enabled });
  return {
    printers: devices.map(named),
    people: (members?.members ?? []).map(named),
    keys: keys.map(({ id, label }) => ({ value: id, label })),
    places: (locations?.locations ?? []).map(named),
    webhooks: (webhooks?.webhooks ?? []).map(({ id, url }) => {
      return { value: id, label: new URL(url).host };
    }),
    controllers: (controllers?.instances ?? []).map(({ controllerId, controllerName }) => {
      const isBox = controllerId === "builtin";
      return { value: controllerId, label: isBox ? t("history.boxPrinters") : controllerName };
    }),
    shop: organization === undefined ? [] : [{ value: organization.id, label: t("history.shop") }],
  };
}

/** As a choice begins; in a sentence it is a word like others. */
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const named = ({ id, name }: { readonly id: string; readonly name: string }): Choice => {
  return { value: id, label: name };
};

const prefixed = (kind: string, choices: readonly Choice[]): Choice[] =>
  choices.map(({ value, label }) => ({ value: `${kind}:${value}`, label }));

/** Without groups that have nothing; with what the address names, though it is there no more. */
function withNamed(
  value: string | null,
  label: string,
  groups: readonly ChoiceGroup[],
): (Choice | ChoiceGroup)[] {
  const filled = groups.filter(({ items }) => items.length > 0);
  const isKnown = filled.some(({ items }) => items.some((one) => one.value === value));
  return value === null || isKnown ? filled : [{ value, label }, ...filled];
}
