import type { ReactNode, Ref } from 'react';
import type { Money as Amount } from '#contract/money.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { Balance } from '#web/ui/money.tsx';

interface PayrollLeadProps {
  title: string;
  subtitle: string;
  /** Words, or a status, over the amount. */
  label: ReactNode;
  total: Amount;
  /** Its title is part of a screen that has a heading of its own, and may take the focus. */
  part?: Ref<HTMLHeadingElement>;
}

/** Head of a payroll: its title at the left and its total at the right, over an ink rule. */
export function PayrollLead({ title, subtitle, label, total, part }: PayrollLeadProps) {
  const end = (
    <span className="lead__end">
      <span className="muted">{label}</span>
      <Balance amount={total} />
    </span>
  );
  if (part !== undefined) {
    return (
      <div className="lead">
        <div className="page-head">
          <div>
            <h2 className="page-title" tabIndex={-1} ref={part}>
              {title}
            </h2>
            <p className="page-head__sub">{subtitle}</p>
          </div>
          {end}
        </div>
      </div>
    );
  }
  return (
    <div className="lead">
      <ScreenHead title={title} subtitle={subtitle} end={end} />
    </div>
  );
}
