import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  /** What to do about it. */
  hint?: string | undefined;
  action?: ReactNode;
}

/** Nothing is here yet, or nothing matches. */
export function EmptyState({ title, hint, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {hint}
      {action !== undefined && <div className="empty__action">{action}</div>}
    </div>
  );
}
