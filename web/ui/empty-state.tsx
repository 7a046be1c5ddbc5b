import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  /** Next step for the user. */
  hint?: string | undefined;
  action?: ReactNode;
}

/** Replaces an empty list: nothing exists yet, or nothing matches. */
export function EmptyState({ title, hint, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {hint}
      {action !== undefined && <div className="empty__action">{action}</div>}
    </div>
  );
}
