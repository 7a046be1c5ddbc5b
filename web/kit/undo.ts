import { useEffect, useSyncExternalStore } from 'react';
import { errorMessage } from '#web/api/query.ts';
import { isTyping } from '#web/lib/page-keys.ts';
import {
  currentToasts,
  pressToastAction,
  subscribeToToasts,
  toast,
  type QueuedToast,
  type ToastMessage,
} from '#web/ui/toast-queue.ts';

const UNDO = 'Undo';

interface Undoable extends Omit<ToastMessage, 'action'> {
  /** Asks the server to undo it; it refuses where what was done has changed since. */
  undo: () => Promise<unknown>;
  /** The title over why it was not undone: "It could not be restored". */
  failed: string;
}

/**
 * Says what was done, and offers to undo it while that is shown: by its button, by Ctrl or Cmd and Z, and
 * in the command palette. docs/undo.md lists what can be undone.
 */
export function offerUndo({ undo, failed, ...message }: Undoable): void {
  async function run(): Promise<void> {
    try {
      await undo();
      toast({ title: 'Undone', message: message.message ?? message.title, tone: 'positive' });
    } catch (error) {
      const why = errorMessage(error, 'Please try again.');
      toast({ title: failed, message: why, tone: 'critical' });
    }
  }
  toast({ ...message, action: { label: UNDO, onPress: () => void run() } });
}

/** The latest act that can still be undone. */
function lastUndoable(): QueuedToast | undefined {
  return currentToasts().findLast(({ action }) => action?.label === UNDO);
}

/** Undoes what was done last; false where nothing can be undone. */
export function undoLast(): boolean {
  const last = lastUndoable();
  if (last !== undefined) pressToastAction(last.id);
  return last !== undefined;
}

function titleOfLast(): string | undefined {
  return lastUndoable()?.title;
}

/** Description of the latest act that can still be undone; undefined where there is none. */
export function useLastUndoable(): string | undefined {
  return useSyncExternalStore(subscribeToToasts, titleOfLast, titleOfLast);
}

/** Has Ctrl or Cmd and Z undo what was done last, but in a field, where it undoes what was typed. */
export function useUndoKey(): void {
  useEffect(() => {
    function follow(event: KeyboardEvent): void {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (!(ctrlKey || metaKey) || altKey || shiftKey || key.toLowerCase() !== 'z') return;
      if (event.defaultPrevented || event.repeat || isTyping(event.target)) return;
      if (undoLast()) event.preventDefault();
    }

    document.addEventListener('keydown', follow);
    return () => document.removeEventListener('keydown', follow);
  }, []);
}
