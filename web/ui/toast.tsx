import { X } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useAmountWords } from '#web/lib/privacy.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';
import { keepOffActions } from './toast-place.ts';
import {
  currentToasts,
  dismissToast,
  holdToasts,
  pressToastAction,
  releaseToasts,
  subscribeToToasts,
  type QueuedToast,
} from './toast-queue.ts';

/**
 * Region for toasts, mounted once near the root. The polite live region is always in the document,
 * because screen readers only follow regions that they know already. An error is a separate alert.
 * `data-react-aria-top-layer` keeps both reachable while a dialog is open.
 */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts, currentToasts);
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    if (region.current === null || toasts.length === 0) return undefined;
    return keepOffActions(region.current);
  }, [toasts]);
  return (
    <section
      ref={region}
      className="toasts"
      aria-label="Messages"
      data-react-aria-top-layer="true"
      onMouseEnter={holdToasts}
      onMouseLeave={releaseToasts}
      onFocus={holdToasts}
      onBlur={releaseToasts}
    >
      <div className="toasts__list" role="status" aria-atomic="false">
        {toasts
          .filter(({ tone }) => tone !== 'critical')
          .map((shown) => (
            <ToastCard key={shown.id} toast={shown} />
          ))}
      </div>
      {toasts
        .filter(({ tone }) => tone === 'critical')
        .map((shown) => (
          <ToastCard key={shown.id} toast={shown} role="alert" />
        ))}
    </section>
  );
}

/** One toast. Exported for the gallery. Other code calls `toast()`. */
export function ToastCard({
  toast: { id, title, message, tone, action },
  role,
}: {
  toast: QueuedToast;
  role?: 'alert' | undefined;
}) {
  const write = useAmountWords();
  return (
    <div className={classNames('toast', tone !== 'neutral' && `tone-${tone}`)} role={role}>
      <div>
        <strong>{write(title)}</strong>
        {message !== undefined && <span className="muted">{write(message)}</span>}
      </div>
      <div className="toast__acts">
        {action !== undefined && (
          <Button shape="text" onPress={() => pressToastAction(id)}>
            {action.label}
          </Button>
        )}
        <IconButton icon={X} isSmall label="Dismiss" onPress={() => dismissToast(id)} />
      </div>
    </div>
  );
}
