import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { RequiredMark } from '#web/ui/field.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { LAST_STEP, stepAt } from './wizard-plan.ts';

/**
 * The title of a step. A change link names the field to begin at in the address; without one the
 * title takes the focus, as everywhere.
 */
export function StepHead({ step }: { step: number }) {
  const head = useRef<HTMLDivElement>(null);
  const field = useLocation({ select: ({ hash }) => hash });
  const { title, line } = stepAt(step);

  useEffect(() => {
    if (field === '') return;
    const form = head.current?.closest('form');
    form?.querySelector<HTMLElement>(`[name="${CSS.escape(field)}"]`)?.focus();
  }, [field]);

  return (
    <div ref={head}>
      <PageTitle>{title}</PageTitle>
      <p className="muted mt-1">
        {line}
        {step < LAST_STEP && (
          <>
            {' '}
            Fields marked <RequiredMark /> are required.
          </>
        )}
      </p>
    </div>
  );
}
