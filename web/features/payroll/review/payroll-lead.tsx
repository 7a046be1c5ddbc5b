import type { ReactNode } from 'react';
import type { Money as Amount } from '#contract/money.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { Balance } from '#web/ui/money.tsx';

interface PayrollLeadProps {
  title: string;
  subtitle: string;
  /** Words, or a status, over the amount. */
  label: ReactNode;
  total: Amount;
}

/** Head of a payroll: its title at the left and its total at the right, over an ink rule. */
export function PayrollLead({ title, subtitle, label, total }: PayrollLeadProps) {
  return (
    <div className="lead">
      <ScreenHead
        title={title}
        subtitle={subtitle}
        end={
          <span className="lead__end">
            <span className="muted">{label}</span>
            <Balance amount={total} />
          </span>
        }
      />
    </div>
  );
}
