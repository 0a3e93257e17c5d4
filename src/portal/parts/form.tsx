/**
 * Every form of the portal: what is left out or cannot be is said below its field, in the reader's
 * language. The browser would say it in its own, in a bubble that goes away.
 */

import { InputError } from "@mantine/core";
import { type ComponentProps, useEffect, useId, useState } from "react";
import { createPortal } from "react-dom";
import { useWords, type Word } from "../words/words.tsx";

type Submit = NonNullable<ComponentProps<"form">["onSubmit"]>;
type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

interface Fault {
  readonly field: Field;
  readonly word: Word;
}

export function Form({ onSubmit, children, ...rest }: ComponentProps<"form">) {
  const { t } = useWords();
  const [fault, setFault] = useState<Fault>();
  const [full, setFull] = useState<HTMLInputElement | HTMLTextAreaElement>();
  const id = useId();
  const place = fault?.field.closest(".mantine-InputWrapper-root");
  useEffect(() => {
    if (fault === undefined) return;
    place?.scrollIntoView({ block: "nearest" });
    return mark(fault.field, id);
  }, [fault, place, id]);
  const submit: Submit = (event) => {
    const field = [...event.currentTarget.elements].find(isWrong);
    if (field === undefined) return onSubmit?.(event);
    event.preventDefault();
    setFault({ field, word: faultOf(field) });
    field.focus();
  };
  return (
    <form
      {...rest}
      noValidate
      onSubmit={submit}
      onInput={({ target }) => {
        if (target === fault?.field) setFault(undefined);
        setFull(isFull(target) ? target : undefined);
      }}
    >
      {children}
      {fault !== undefined &&
        place instanceof Element &&
        createPortal(
          // Below the ring of the focus, and as large as the other words of the field.
          <InputError id={id} size="md" mt={8}>
            {t(fault.word)}
          </InputError>,
          place,
        )}
      {full !== undefined && fault === undefined && <Full field={full} />}
    </form>
  );
}

/** What a browser would cut off in silence. */
function isFull(target: EventTarget): target is HTMLInputElement | HTMLTextAreaElement {
  const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return isText && target.maxLength > 0 && target.value.length >= target.maxLength;
}

function Full({ field }: { readonly field: HTMLInputElement | HTMLTextAreaElement }) {
  const { t } = useWords();
  const place = field.closest(".mantine-InputWrapper-root");
  if (place === null) return null;
  return createPortal(
    <p className="aside" role="status">
      {t("form.full", { count: field.maxLength })}
    </p>,
    place,
  );
}

function isWrong(element: Element): element is Field {
  const isField =
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement;
  return isField && element.willValidate && (!element.validity.valid || isBlank(element));
}

/** What is only blanks is left out: they are not kept. */
function isBlank({ required, value }: Field): boolean {
  return required && value !== "" && value.trim() === "";
}

function faultOf(field: Field): Word {
  const { validity, type } = field;
  if (validity.valueMissing || isBlank(field)) return "form.missing";
  if (validity.typeMismatch) return type === "email" ? "form.noEmail" : "form.noAddress";
  if (validity.patternMismatch) return "form.noNumber";
  return validity.tooShort ? "form.tooShort" : "form.wrong";
}

/** Tells readers of screens what is the matter with it. @returns takes that back */
function mark(field: Field, id: string): () => void {
  const own = field.getAttribute("aria-describedby");
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", own === null ? id : `${own} ${id}`);
  return () => {
    field.removeAttribute("aria-invalid");
    if (own === null) field.removeAttribute("aria-describedby");
    else field.setAttribute("aria-describedby", own);
  };
}
