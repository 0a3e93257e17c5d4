/** The shop's places, and one of them. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { read } from "../../../api/queries.ts";
import { BackLink } from "../../../parts/back-link.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { Page } from "../../../parts/page.tsx";
import { Empty, PageStates } from "../../../parts/page-states.tsx";
import { LinkRow, RowList } from "../../../parts/row-list.tsx";
import { useWords } from "../../../words/words.tsx";
import { NewPlace } from "./new-place.tsx";
import { PlacePage } from "./place.tsx";

const HOME = "/settings/places";

export default function PlacesPage() {
  const { placeId } = useParams();
  const { t } = useWords();
  if (placeId === undefined) return <Places />;
  return (
    <>
      <BackLink href={HOME} text={t("settings.page.places")} />
      {placeId === "new" ? <NewPlace home={HOME} /> : <PlacePage placeId={placeId} home={HOME} />}
    </>
  );
}

function Places() {
  const { t } = useWords();
  const places = useQuery(read("/api/v1/org/locations"));
  const { data: printers = [] } = useQuery(read("/api/v1/devices"));
  const add = (
    <Button component={Link} href={`${HOME}/new`} leftSection={<Icon name="plus" />}>
      {t("places.addNew")}
    </Button>
  );
  return (
    <Page title={t("settings.page.places")} aside={add}>
      <p className="aside">{t("places.text")}</p>
      <PageStates
        query={places}
        isEmpty={({ locations }) => locations.length === 0}
        empty={<Empty title={t("places.empty")} text={t("places.emptyText")} />}
      >
        {({ locations }) => (
          <RowList>
            {locations.map(({ id, name, address, timezone }) => {
              const count = printers.filter(({ locationId }) => locationId === id).length;
              return (
                <LinkRow
                  key={id}
                  href={`${HOME}/${id}`}
                  title={name}
                  details={[address?.replaceAll("\n", ", "), timezone ?? undefined]}
                  aside={<span className="aside">{t("places.printers", { count })}</span>}
                />
              );
            })}
          </RowList>
        )}
      </PageStates>
    </Page>
  );
}
