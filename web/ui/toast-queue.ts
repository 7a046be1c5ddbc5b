/** What is said about a stand-alone result. Never for what a field or a notice already says. */
export interface ToastMessage {
  title: string;
  /** One sentence. */
  message?: string | undefined;
  /**
   * `critical` is announced at once and stays until it is dismissed or {@link dismissErrors} is called;
   * the others leave after {@link toastLifeMs}, or {@link actionToastLifeMs}.
   */
  tone?: ToastTone | undefined;
  /** What can be done about it while it is shown: "Undo". It goes once that is pressed. */
  action?: ToastAction | undefined;
}

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
/** Of one that something can be done about. */
export const actionToastLifeMs = 10_000;

let queue: readonly QueuedToast[] = [];
let nextId = 1;
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

/**
 * Shows a toast. The same words again while they are still shown only start their time again, unless
 * something can be done about each.
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

/** Does what can be done about a toast; it goes. */
export function pressToastAction(id: number): void {
  const action = queue.find((shown) => shown.id === id)?.action;
  dismissToast(id);
  action?.onPress();
}

/** Removes what failed before: at the next attempt and on another screen it is no longer true. */
export function dismissErrors(): void {
  for (const { id, tone } of queue) if (tone === 'critical') dismissToast(id);
}

/** Removes every toast: what concerned one person is not shown to the next. */
export function dismissToasts(): void {
  for (const { id } of queue) dismissToast(id);
}

/** Holds every toast while the reader is on them (WCAG 2.2.1). */
export function holdToasts(): void {
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
}

/** Gives every toast its full time again. */
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
