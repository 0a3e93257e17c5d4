/**
 * What a simulated device prints in words of its own. English is what a developer reads, and what devices
 * answer of their journal; paper for training speaks the language of the country that its model is sold in,
 * in letters that such devices have: Romanian ones print no ă, ș and ț.
 */

const ENGLISH = {
  noFiscalDocument: "NO FISCAL DOCUMENT",
  notFinished: "(not finished)",
  duplicate: "DUPLICATE",
  serviceNumber: "Service document",
  service: "SERVICE DOCUMENT",
  cashIn: "CASH IN",
  cashOut: "CASH OUT",
  amount: "Amount",
  inDrawer: "Cash in drawer",
  x: "X REPORT",
  z: "Z REPORT",
  departments: "DEPARTMENTS",
  department: "Department",
  memory: "FISCAL MEMORY",
  memoryNumber: "Fiscal memory",
  zCount: "Z reports",
  sales: "Sales",
  stornos: "Stornos",
  operators: "OPERATORS",
  diagnostic: "DIAGNOSTIC",
  change: "Change",
  invoice: "Invoice",
  receipt: "FISCAL RECEIPT",
  stornoReceipt: "STORNO RECEIPT",
  total: "TOTAL",
  cancelled: "* CANCELLED *",
  operator: "Operator",
  till: "Till",
  saleNumber: "USN",
  storno: "STORNO",
  ofReceipt: "Of receipt",
  subtotal: "Subtotal",
  void: "VOID",
  discount: "Discount",
  surcharge: "Surcharge",
  receiptCount: "Receipts",
  turnover: "Turnover",
  stornoCount: "Storno receipts",
  stornoSum: "Storno",
  cashInSum: "Cash in",
  cashOutSum: "Cash out",
} as const;

type Text = keyof typeof ENGLISH;

/** Of one language. */
export type PaperWords = Readonly<Record<Text, string>> & {
  /** Ways of paying and reasons of a storno; one that is missing is printed as the books have it. */
  readonly names: Readonly<Record<string, string>>;
  /** `2024-03-15T14:00:00` as it is written. */
  readonly time: (text: string) => string;
};

/** `15.03.2024 14:00:00`. */
function dayFirst(text: string): string {
  const [date = "", time = ""] = text.split("T");
  return `${date.split("-").reverse().join(".")} ${time}`;
}

const BULGARIAN: PaperWords = {
  noFiscalDocument: "НЕ Е ФИСКАЛЕН ДОКУМЕНТ",
  notFinished: "(недовършен)",
  duplicate: "ДУБЛИКАТ",
  serviceNumber: "Служебен бон",
  service: "СЛУЖЕБЕН БОН",
  cashIn: "СЛУЖЕБНО ВЪВЕДЕНИ",
  cashOut: "СЛУЖЕБНО ИЗВЕДЕНИ",
  amount: "Сума",
  inDrawer: "Наличност",
  x: "ОТЧЕТ X",
  z: "ОТЧЕТ Z",
  departments: "ДЕПАРТАМЕНТИ",
  department: "Департамент",
  memory: "ФИСКАЛНА ПАМЕТ",
  memoryNumber: "Фискална памет",
  zCount: "Отчети Z",
  sales: "Продажби",
  stornos: "Сторно",
  operators: "ОПЕРАТОРИ",
  diagnostic: "ДИАГНОСТИКА",
  change: "Ресто",
  invoice: "Фактура",
  receipt: "ФИСКАЛЕН БОН",
  stornoReceipt: "СТОРНО БОН",
  total: "ОБЩА СУМА",
  cancelled: "* АНУЛИРАН *",
  operator: "Оператор",
  till: "Каса",
  saleNumber: "УНП",
  storno: "СТОРНО",
  ofReceipt: "Към бон",
  subtotal: "Междинна сума",
  void: "КОРЕКЦИЯ",
  discount: "Отстъпка",
  surcharge: "Надбавка",
  receiptCount: "Бонове",
  turnover: "Оборот",
  stornoCount: "Сторно бонове",
  stornoSum: "Сторно",
  cashInSum: "Служебно въведени",
  cashOutSum: "Служебно изведени",
  names: {
    ...{ cash: "В брой", card: "Карта", "pinpad-card": "Карта", check: "Чек", bank: "Банков път" },
    ...{ coupons: "Талони", "ext-coupons": "Външни талони", "foreign-currency": "Валута" },
    ...{ credit: "Кредит", packaging: "Амбалаж", damage: "Повреди" },
    "internal-usage": "Вътрешно потребление",
    "operator-error": "Операторска грешка",
    refund: "Връщане или рекламация",
    "tax-base-reduction": "Намаляване на данъчната основа",
  },
  time: dayFirst,
};

const ROMANIAN: PaperWords = {
  noFiscalDocument: "NU ESTE DOCUMENT FISCAL",
  notFinished: "(neterminat)",
  duplicate: "DUPLICAT",
  serviceNumber: "Document nefiscal",
  service: "DOCUMENT NEFISCAL",
  cashIn: "INTRARE NUMERAR",
  cashOut: "IESIRE NUMERAR",
  amount: "Suma",
  inDrawer: "Numerar in sertar",
  x: "RAPORT X",
  z: "RAPORT Z",
  departments: "DEPARTAMENTE",
  department: "Departament",
  memory: "MEMORIE FISCALA",
  memoryNumber: "Memorie fiscala",
  zCount: "Rapoarte Z",
  sales: "Vanzari",
  stornos: "Stornari",
  operators: "OPERATORI",
  diagnostic: "DIAGNOSTIC",
  change: "Rest",
  invoice: "Factura",
  receipt: "BON FISCAL",
  stornoReceipt: "BON DE STORNARE",
  total: "TOTAL",
  cancelled: "* ANULAT *",
  operator: "Operator",
  till: "Casa",
  saleNumber: "Nr. vanzare",
  storno: "STORNARE",
  ofReceipt: "La bonul",
  subtotal: "Subtotal",
  void: "CORECTIE",
  discount: "Reducere",
  surcharge: "Majorare",
  receiptCount: "Bonuri",
  turnover: "Total vanzari",
  stornoCount: "Bonuri de stornare",
  stornoSum: "Stornari",
  cashInSum: "Intrari numerar",
  cashOutSum: "Iesiri numerar",
  names: {
    ...{ cash: "Numerar", card: "Card", "card-advance": "Avans cu cardul", credit: "Credit" },
    ...{ check: "Cec", "meal-vouchers": "Tichete de masa", "value-tickets": "Bonuri valorice" },
    ...{ voucher: "Voucher", "modern-payment": "Plata moderna", "foreign-currency": "Valuta" },
    other: "Alte metode",
  },
  time: dayFirst,
};

/** By country of a model, as far as paper for training speaks its language. */
const LANGUAGES = { bg: BULGARIAN, ro: ROMANIAN } as const;

export type PaperLanguage = keyof typeof LANGUAGES;

/** @param language English unless given */
export function paperWords(language?: PaperLanguage): PaperWords {
  return language === undefined
    ? { ...ENGLISH, names: {}, time: (text) => text }
    : LANGUAGES[language];
}
