import type { Fact } from '#web/ui/facts.tsx';

/** A fact, or none where it is not known. A person typed its text, which may be in any script. */
export function known(label: string, text: string | null | undefined): Fact[] {
  const isKnown = text !== null && text !== undefined && text !== '';
  return isKnown ? [{ label, value: <span dir="auto">{text}</span> }] : [];
}
