import { useState } from 'react';
import type { PayrollBatch, PayrollDraft, PayrollPreview } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { PAYDAY_HOUR } from '#contract/payroll.ts';
import { useCompany } from '#web/lib/company.ts';
import { counted, formatDay } from '#web/lib/format.ts';
import { DatedRail, type DatedStep } from '#web/ui/dated-rail.tsx';
import { Section } from '#web/ui/section.tsx';

interface WhatHappensProps {
  draft: PayrollDraft;
  preview: PayrollPreview;
}

/** Steps of a payroll from its draft to the wallets: those taken, this one, and those ahead. */
export function WhatHappens({ draft, preview }: WhatHappensProps) {
  const { timeZone } = useCompany();
  const [today] = useState(() => dayIn(timeZone, new Date()));
  const isPrepared = draft.preparedFor !== null;
  const steps: DatedStep[] = [
    {
      state: 'done',
      what: isPrepared ? 'Prepared' : 'Draft',
      at: draft.createdAt,
      who: isPrepared ? `${draft.createdBy}, from usual pay` : draft.createdBy,
    },
    { state: 'now', what: 'In review', who: 'You', time: 'Now' },
    ...(preview.secondPerson?.isNeeded === true
      ? [{ state: 'next' as const, what: 'Confirmed', who: 'By a second person' }]
      : []),
    ...stepsAhead({ ...preview, payOn: draft.payOn, people: preview.payableCount, today }),
  ];
  return (
    <Section title="What happens" isRuled>
      <div className="review__rail">
        <DatedRail label="What happens" layout="stacked" moments="shortDateTime" steps={steps} />
      </div>
    </Section>
  );
}

interface Ahead extends Pick<PayrollPreview, 'cancelSeconds'> {
  payOn: string | null;
  /** Those who are paid. */
  people: number;
  /** In the company's time zone. */
  today: string;
}

/** Steps after a payroll was confirmed: the time in which it can be stopped, and the wallets. */
export function stepsAhead({ cancelSeconds, payOn, people, today }: Ahead): DatedStep[] {
  const wallets = { state: 'next' as const, what: `Money in ${counted(people, 'wallet')}` };
  const notified = 'and each employee is notified';
  if (payOn !== null && payOn > today) {
    const day = `${formatDay(payOn, 'weekday')} from ${PAYDAY_HOUR}:00 AM`;
    return [
      { state: 'next', what: 'Can be stopped until then', who: 'By any administrator' },
      { ...wallets, who: `${day}, ${notified}` },
    ];
  }
  const last = { ...wallets, who: `Immediately, ${notified}. A sent batch cannot be recalled.` };
  if (cancelSeconds === 0) return [last];
  const stop = `${counted(cancelSeconds, 'second')} to stop it`;
  return [
    { state: 'next', what: stop, who: 'Any administrator' },
    { ...wallets, who: `Then, ${notified}` },
  ];
}

/**
 * Steps of a payroll that was sent and moves no money yet.
 *
 * @param cancelSeconds seconds after it is confirmed in which it can be stopped; undefined: not known yet
 */
export function usePendingSteps(
  batch: PayrollBatch,
  cancelSeconds: number | undefined,
): DatedStep[] {
  const { timeZone } = useCompany();
  const [today] = useState(() => dayIn(timeZone, new Date()));
  const { approval, approvedBy, window, createdBy, createdAt, payOn, employees } = batch;
  const ahead = stepsAhead({ cancelSeconds: cancelSeconds ?? 0, payOn, people: employees, today });
  const sent: DatedStep = {
    state: 'done',
    what: approval === null ? 'Sent' : 'Sent for confirmation',
    who: createdBy,
    at: createdAt,
  };
  if (approval !== null) {
    const names = approval.people.map(({ name }) => name).join(', ');
    const waits: DatedStep = approval.mayApprove
      ? { state: 'now', what: 'Waiting for you', time: 'Now' }
      : { state: 'now', what: 'Waiting for confirmation', who: names, time: 'Now' };
    return [sent, waits, ...(cancelSeconds === undefined ? [] : ahead)];
  }
  const confirmed = batch.history.find(({ status }) => status === 'approved');
  const [stop, ...wallets] = stepsAhead({
    cancelSeconds: Math.round((window?.ofMs ?? 0) / 1000),
    payOn,
    people: employees,
    today,
  });
  return [
    sent,
    ...(confirmed === undefined
      ? []
      : [
          {
            state: 'done' as const,
            what: 'Confirmed',
            who: approvedBy ?? undefined,
            at: confirmed.at,
          },
        ]),
    ...(stop === undefined || wallets.length === 0
      ? []
      : [{ ...stop, state: 'now' as const, time: 'Now' }]),
    ...wallets,
  ];
}
