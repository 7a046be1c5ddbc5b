import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface Fact {
  label: string;
  value: ReactNode;
  /** Action on the right: a Change link, a copy button. */
  action?: ReactNode;
}

interface FactsProps {
  facts: readonly Fact[];
  isTight?: boolean | undefined;
}

/** Labels and values, with lines between them. */
export function Facts({ facts, isTight = false }: FactsProps) {
  return (
    <dl className={classNames('facts', isTight && 'facts--tight')}>
      {facts.map(({ label, value, action }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
          {action !== undefined && <dd>{action}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** Fact of a text that a person may have left empty, in its own direction. */
export function factUnlessEmpty(label: string, value: string): Fact[] {
  return value === '' ? [] : [{ label, value: <span dir="auto">{value}</span> }];
}
