import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { SettingsReply, SetupReply } from '#contract/api.ts';
import { SETUP_SETTINGS, SETUP_STEPS, type SetupStep } from '#contract/company-setup.ts';
import { SETTINGS, type SettingName } from '#contract/settings.ts';
import { CompanyContext, type Company } from '#web/lib/company.ts';
import { SetupCard } from './setup-card.tsx';
import { SetupEnd } from './setup-end.tsx';
import { SetupStepForm } from './setup-step.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

const NOTHING_TYPED: SettingsDraft = {
  typedOf: (name) => (SETTINGS[name].kind === 'flag' ? false : ''),
  isEdited: () => false,
  isClashing: () => false,
  edit: () => undefined,
  keep: () => undefined,
  drop: () => undefined,
  dropSent: () => undefined,
};

function markupOf(
  step: SetupStep,
  {
    isCurrencyFixed = false,
    draft = NOTHING_TYPED,
  }: { isCurrencyFixed?: boolean; draft?: SettingsDraft } = {},
): string {
  const reply = {
    version: 0,
    lastChanges: [],
    isCurrencyFixed,
    nextPaydays: [],
    proposal: null,
    adminProposals: [],
    canSeparateDuties: false,
    admins: { total: 1, withoutTwoFactor: ['Renee Albright'] },
    values: { currency: 'EUR' },
  } as unknown as SettingsReply;
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <CompanyContext value={{ name: 'Tallis', timeZone: 'America/New_York' } as Company}>
        <SetupStepForm
          {...{ step, reply, draft, isDeciding: false, onBack: undefined }}
          onDone={() => undefined}
          onSkip={() => undefined}
        />
      </CompanyContext>
    </QueryClientProvider>,
  );
}

const NO_SCHEDULE: readonly SettingName[] = ['payrollFrequency'];

test.each(SETUP_STEPS)(
  'the step %s shows the fields of its settings and can be skipped',
  (step) => {
    const markup = markupOf(step);
    const fields = [...markup.matchAll(/ name="(\w+)"/g)].map(([, name]) => name);
    // Without a schedule the step has no further fields.
    // The company is in EUR, and an IBAN has no routing number.
    const expected = SETUP_SETTINGS[step].filter((name) => name !== 'receivingRoutingNumber');
    expect(fields).toEqual(step === 'payday' ? NO_SCHEDULE : expected);
    expect(markup).toContain(`Step ${SETUP_STEPS.indexOf(step) + 1} of 7`);
    expect(markup).toContain('Skip This Step');
  },
);

test.each([
  ['weekly', ['payrollFirstPayday']],
  ['biweekly', ['payrollFirstPayday']],
  ['semimonthly', ['payrollDays']],
  ['monthly', ['payrollDay']],
])('a %s payroll shows the fields %s', (frequency, names) => {
  const typed = { ...NOTHING_TYPED, typedOf: () => frequency };
  const markup = markupOf('payday', { draft: typed });
  const fields = [...markup.matchAll(/ name="(\w+)"/g)].map(([, name]) => name);
  expect(fields).toEqual(['payrollFrequency', ...names, 'paydayMoves']);
});

test('a fixed currency is shown but cannot be chosen', () => {
  const markup = markupOf('time', { isCurrencyFixed: true });
  expect(markup).not.toContain('name="currency"');
  expect(markup).toContain('Euro (EUR)');
});

test('an ended set-up shows who ended it, and where to find the skipped settings', () => {
  const setup: SetupReply = {
    outcome: 'dismissed',
    endedBy: 'Theo Marchetti',
    steps: SETUP_STEPS.map((step) => ({
      step,
      outcome: step === 'payday' ? null : 'done',
      by: step === 'payday' ? null : 'Theo Marchetti',
    })),
  };
  const markup = renderToStaticMarkup(<SetupEnd setup={setup} />);
  expect(markup).toContain('The set-up was dismissed by Theo Marchetti.');
  expect(markup).toContain('href="/admin/settings?tab=payroll"');
  expect(markup).not.toContain('tab=security');
});

test('the dashboard links to the set-up and shows its progress', () => {
  expect(renderToStaticMarkup(<SetupCard decided={0} />)).toContain('Start Set-up');
  const begun = renderToStaticMarkup(<SetupCard decided={2} />);
  expect(begun).toContain('2 of 7 steps are done or skipped.');
  expect(begun).toContain('href="/admin/company-setup"');
  expect(begun).toContain('Continue Set-up');
});
