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

interface ItemsProps<Item> {
  items: readonly Item[];
  /** Words where there are none. */
  none: { title: string; hint: string };
  /** One item, a `<li>` with a key. */
  children: (item: Item) => ReactNode;
}

/** List of items, or what is said where there are none. */
export function Items<Item>({ items, none, children }: ItemsProps<Item>) {
  return items.length === 0 ? <EmptyState {...none} /> : <ul>{items.map(children)}</ul>;
}
