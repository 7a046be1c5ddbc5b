import { Component, type ReactNode } from 'react';

/** A summary next to a field follows what another program fills in after at most this time. */
const READ_EVERY_MS = 300;

/** Events after which values of fields are used. The fields are read before React handles the event. */
const USES = ['pointerdown', 'keydown', 'input', 'change', 'focusin', 'click', 'submit'] as const;

const FIELDS = 'input:enabled, textarea:enabled, select:enabled';

type TypedField = HTMLInputElement | HTMLTextAreaElement;
type Field = TypedField | HTMLSelectElement;

/**
 * Reads the fields of the page themselves. Password managers, form fillers and extensions set values without
 * any event: React then sends the value that it knows, and writes that over the other one when it draws the
 * field again. A field that shows something else than what was drawn gets the event that was missing, before
 * anything that a person does is handled, before React draws it again ({@link ReadBeforeDrawing}), and a few times
 * a second.
 */
export function readFields(root: Document): void {
  let isReading = false;
  const filledEarly = new Map<string, string>();

  function read(heard?: EventTarget | null): void {
    if (isReading) return;
    const fields = root.querySelectorAll<Field>(FIELDS);
    if (root.querySelector('.first-view') !== null) keepEarly(fields, filledEarly);
    else {
      fillAgain(fields, filledEarly);
      // All first: one event may have React draw, and so write over, the other fields.
      handAll(findFilled(fields).filter(({ field }) => field !== heard));
    }
  }

  function handAll(filled: readonly Filled[]): void {
    isReading = true;
    for (const one of filled) if (one.field.isConnected) hand(one);
    isReading = false;
  }

  /** Contents of fields of which React has received an event. */
  const heard = new WeakMap<EventTarget, string | boolean>();
  for (const use of USES) {
    const isOfField = use === 'input' || use === 'change';
    const hear = ({ target }: Event) => {
      if (isOfField && isField(target)) heard.set(target, contentOf(target));
      read(isOfField ? target : null);
    };
    window.addEventListener(use, hear, true);
  }
  setInterval(read, READ_EVERY_MS);
  drawing = {
    find: () => {
      const filled = findFilled(root.querySelectorAll<Field>(FIELDS));
      return filled.filter(({ field }) => heard.get(field) !== contentOf(field));
    },
    handAll,
  };
  read();
}

/** Reading around a drawing of React; null on the server. */
let drawing: { find: () => Filled[]; handAll: (filled: readonly Filled[]) => void } | null = null;
/** True while one of many that are drawn together keeps what all fields show. */
let isKept = false;

/**
 * Keeps what other programs have filled in when React draws its children again, and writes over it. React handles no events
 * while it draws, so the missing ones are sent afterwards.
 */
export class ReadBeforeDrawing extends Component<{ children: ReactNode }> {
  override getSnapshotBeforeUpdate(): readonly Filled[] {
    if (isKept || drawing === null) return [];
    const filled = drawing.find();
    isKept = filled.length > 0;
    return filled;
  }

  override componentDidUpdate(_props: unknown, _state: unknown, filled: readonly Filled[]): void {
    if (filled.length === 0) return;
    isKept = false;
    drawing?.handAll(filled);
  }

  override render(): ReactNode {
    return this.props.children;
  }
}

/** A field that shows something else than what was drawn. */
type Filled =
  | { field: TypedField; drawn: string; shown: string }
  | { field: HTMLSelectElement; shown: string }
  | { field: HTMLInputElement; isChecked: boolean };

function isField(target: EventTarget | null): target is Field {
  return target instanceof Element && target.matches('input, textarea, select');
}

function contentOf(field: Field): string | boolean {
  const isMark = field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type);
  return isMark ? field.checked : field.value;
}

function findFilled(fields: Iterable<Field>): Filled[] {
  return Array.from(fields, filledIn).filter((one) => one !== undefined);
}

function filledIn(field: Field): Filled | undefined {
  if (isTyped(field)) {
    // React keeps the attribute `value` the same as what it drew.
    const [drawn, shown] = [field.defaultValue, field.value];
    return drawn === shown ? undefined : { field, drawn, shown };
  }
  const { drawn } = field.dataset;
  if (drawn === undefined) return undefined;
  if (field instanceof HTMLSelectElement) {
    // Without an option for it, the browser shows another one by itself.
    const isLegal = Array.from(field.options, ({ value }) => value).includes(drawn);
    return isLegal && drawn !== field.value ? { field, shown: field.value } : undefined;
  }
  const { type, checked } = field as HTMLInputElement;
  // A radio button that is no longer chosen says nothing; the one that is chosen does.
  const isSilent = type === 'radio' && !checked;
  if (isSilent || drawn === String(checked)) return undefined;
  return { field: field as HTMLInputElement, isChecked: checked };
}

/**
 * Sets the value once more by the browser's own setter, and sends the event. React watches the property of each
 * element, and ignores an event when it has seen the value before.
 */
function hand(filled: Filled): void {
  const { field } = filled;
  if ('isChecked' in filled) {
    filled.field.checked = !filled.isChecked;
    setUnseen(field, 'checked', filled.isChecked);
    send(field, 'click');
  } else {
    if ('drawn' in filled) filled.field.value = filled.drawn;
    setUnseen(field, 'value', filled.shown);
    send(field, 'drawn' in filled ? 'input' : 'change');
  }
}

/** Keeps what was filled into fields that the server drew, which the app replaces. */
function keepEarly(fields: Iterable<Field>, kept: Map<string, string>): void {
  for (const field of fields) {
    if (isTyped(field) && field.value !== field.defaultValue) kept.set(field.name, field.value);
  }
}

function fillAgain(fields: Iterable<Field>, kept: Map<string, string>): void {
  for (const field of fields) {
    const value = isTyped(field) && field.value === '' ? kept.get(field.name) : undefined;
    if (value !== undefined) setUnseen(field, 'value', value);
  }
  kept.clear();
}

function isTyped(field: Field): field is TypedField {
  if (field instanceof HTMLSelectElement || field.readOnly) return false;
  return !['file', 'hidden', 'checkbox', 'radio'].includes(field.type);
}

function setUnseen(field: Field, name: 'value' | 'checked', value: string | boolean): void {
  const prototype: unknown = Object.getPrototypeOf(field);
  Object.getOwnPropertyDescriptor(prototype, name)?.set?.call(field, value);
}

function send(field: Field, type: 'input' | 'change' | 'click'): void {
  field.dispatchEvent(new Event(type, { bubbles: true }));
}
