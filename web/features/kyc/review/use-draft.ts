import { useState } from 'react';

const kept = new Map<string, string>();

/**
 * Text that is typed and not sent yet. It is kept while the reviewer goes on to the next item or
 * closes the desk, in this tab's memory alone: it may say things of a person that rest encrypted.
 *
 * @param key whose text it is, and of what; a component's stays the same
 */
export function useDraft(key: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => kept.get(key) ?? '');

  function change(next: string): void {
    if (next === '') kept.delete(key);
    else kept.set(key, next);
    setText(next);
  }

  return [text, change];
}
