/**
 * Message about an independent result. Never used for text that a field or a notice already shows.
 */
export interface ToastMessage {
  title: string;
  /** One sentence. */
  message?: string | undefined;
  /**
   * `critical` is announced immediately and stays until dismissed or until {@link dismissErrors}.
   * The others disappear after {@link toastLifeMs} or {@link actionToastLifeMs}.
   */
  tone?: ToastTone | undefined;
  /** Action offered while the toast is shown: "Undo". Pressing it closes the toast. */
  action?: ToastAction | undefined;
}

/** Words of a toast. */
export type ToastWords = Pick<ToastMessage, 'title' | 'message'>;

interface ToastAction {
  label: string;
  onPress: () => void;
}

type ToastTone = 'positive' | 'critical' | 'caution' | 'neutral';

export interface QueuedToast {
  id: number;
  title: string;
  message: string | undefined;
  tone: ToastTone;
  action?: ToastAction | undefined;
}

export const toastLifeMs = 6000;
/** Lifetime of a toast with an action. */
export const actionToastLifeMs = 10_000;

let queue: readonly QueuedToast[] = [];
let nextId = 1;
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

/**
 * Shows a toast. If the same words are still shown, restarts their time, except for toasts with an
 * action.
 */
export function toast({ title, message, tone = 'neutral', action }: ToastMessage): void {
  const shown = queue.find(
    (other) =>
      action === undefined &&
      other.action === undefined &&
      other.title === title &&
      other.message === message &&
      other.tone === tone,
  );
  if (shown) return startTimer(shown);
  const added = { id: nextId++, title, message, tone, action };
  change([...queue, added]);
  startTimer(added);
}

export function dismissToast(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  change(queue.filter((shown) => shown.id !== id));
}

/** Runs the toast's action and closes it. */
export function pressToastAction(id: number): void {
  const action = queue.find((shown) => shown.id === id)?.action;
  dismissToast(id);
  action?.onPress();
}

/** Removes error toasts. At the next attempt or on another screen they are no longer true. */
export function dismissErrors(): void {
  for (const { id, tone } of queue) if (tone === 'critical') dismissToast(id);
}

/** Removes all toasts, so that one person's are not shown to the next. */
export function dismissToasts(): void {
  for (const { id } of queue) dismissToast(id);
}

/** Holds all toasts while the reader is on them (WCAG 2.2.1). */
export function holdToasts(): void {
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
}

/** Restarts the time of all toasts. */
export function releaseToasts(): void {
  for (const shown of queue) startTimer(shown);
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentToasts(): readonly QueuedToast[] {
  return queue;
}

function startTimer({ id, tone, action }: QueuedToast): void {
  clearTimeout(timers.get(id));
  if (tone === 'critical') return;
  const lifeMs = action === undefined ? toastLifeMs : actionToastLifeMs;
  timers.set(id, setTimeout(dismissToast, lifeMs, id));
}

function change(next: readonly QueuedToast[]): void {
  queue = next;
  for (const listener of listeners) listener();
}
