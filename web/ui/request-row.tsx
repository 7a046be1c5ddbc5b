import type { ReactNode } from 'react';
import type { Money as Amount } from '#contract/money.ts';
import { Money } from './money.tsx';
import { Ticks, tickCount } from './ticks.tsx';
import './request-row.css';

interface RequestRowProps {
  amount: Amount;
  isFaded?: boolean;
  status: ReactNode;
  /** Next to the amount: a tag. */
  mark?: ReactNode;
  /** Progress in percent. */
  progress?: number;
  /** Last line: what it is about on the left, a time or an action on the right. */
  children: ReactNode;
}

/** A request for money in a list: its amount, status and progress. */
export function RequestRow(props: RequestRowProps) {
  const { amount, isFaded = false, status, mark, progress, children } = props;
  return (
    <li className="request">
      <div className="request__top">
        <span className="request__amount num">
          <Money amount={amount} isFaded={isFaded} />
        </span>
        {mark}
        {status}
      </div>
      {progress !== undefined && <Ticks done={tickCount(progress)} />}
      <div className="request__foot meta">{children}</div>
    </li>
  );
}
