/** Table of what pictures have forged for the Bulgarian shop, as the Romanian one has it. */

const ROMANIAN: Readonly<Record<string, string>> = {
  EUR: "RON",
  "Europe/Sofia": "Europe/Bucharest",
  "Каса 1": "Casa 1",
  "Каса 2 при входа": "Casa 2 la intrare",
  "Каса 3": "Casa 3",
  "Таблет на бара": "Tableta de la bar",
  "Главна улица": "Strada Principală",
  "Главна улица 1\n1000 София": "Strada Principală 1\n010011 București",
  Пазар: "Piață",
  Роза: "Trandafir",
  "Магазин Роза 2": "Magazin Trandafir 2",
  "Магазин Роза\nул. Иван Вазов 12, срещу пазара, вход откъм градинката":
    "Magazin Trandafir\nStr. Mihai Eminescu 12, vizavi de piață, intrarea dinspre grădiniță",
  "        Магазин Роза": "     Magazin Trandafir",
  "Ана Петрова": "Ana Popescu",
  Вера: "Vera",
  Стоян: "Ștefan",
  "Кафе Лаваца 250 г": "Cafea Lavazza 250 g",
  "Прясно мляко": "Lapte",
  "Прясно мляко 3 %": "Lapte 3,5 %",
  "Онлайн магазин": "Magazin online",
  Счетоводство: "Contabilitate",
  "Утре магазинът отваря в 10 часа, защото правим инвентаризация.\n\nБлагодарим!":
    "Mâine magazinul se deschide la ora 10, pentru că facem inventarul.\n\nVă mulțumim!",
};

/** What a gateway answers or a person types, in the words of the Romanian shop. @param forged data of JSON */
export function inRomanian<T>(forged: T): T {
  return JSON.parse(JSON.stringify(forged), (_, value: unknown) =>
    typeof value === "string" ? (ROMANIAN[value] ?? value) : value,
  );
}
