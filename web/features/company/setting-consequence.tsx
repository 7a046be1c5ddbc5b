import type { SettingsReply } from '#contract/api.ts';
import { settingWords } from '#contract/setting-kinds.ts';
import { SETTINGS, type SettingName, type SettingValues } from '#contract/settings.ts';
import { wordsOf, type Typed } from './typed-settings.ts';
import type { SettingsDraft } from './use-settings-draft.ts';
import { useMoments } from '#web/ui/time.tsx';

/** Payroll frequencies to which a schedule setting applies. */
const FREQUENCIES_OF: Partial<Record<SettingName, readonly Frequency[]>> = {
  payrollFirstPayday: ['weekly', 'biweekly'],
  payrollDays: ['semimonthly'],
  payrollDay: ['monthly'],
  paydayMoves: ['weekly', 'biweekly', 'semimonthly', 'monthly'],
};
type Frequency = SettingValues['payrollFrequency'];

/**
 * False for settings that would have no effect. Separation of duties needs two admins, a currency
 * in use cannot change, and the schedule's days depend on the frequency chosen in the form.
 */
export function isLegal(name: SettingName, reply: SettingsReply, draft: SettingsDraft): boolean {
  const { canSeparateDuties, isCurrencyFixed, values } = reply;
  const frequencies: readonly Typed[] | undefined = FREQUENCIES_OF[name];
  if (frequencies !== undefined) return frequencies.includes(draft.typedOf('payrollFrequency'));
  if (name === 'currency') return !isCurrencyFixed;
  // One that was chosen in another currency has to be taken back.
  const isLeft = name === 'bankAccountProof' && values[name] !== 'none';
  if (settingWords(SETTINGS[name], values.currency) === null) return isLeft;
  return SETTINGS[name].section !== 'duties' || canSeparateDuties || values[name] !== null;
}

/** Current effect of a setting, if it needs an explanation. */
export function Consequence({ name, reply }: { name: SettingName; reply: SettingsReply }) {
  const isDuty = SETTINGS[name].section === 'duties' && SETTINGS[name].kind === 'amount';
  if (isDuty) return <DutyForce name={name} reply={reply} />;
  if (name !== 'requireAdminTwoFactor') return null;
  return <TwoFactorShare {...reply} />;
}

/** State of a duty: in force, or the time it takes force, which is when a second person can act. */
function DutyForce({ name, reply }: { name: SettingName; reply: SettingsReply }) {
  const write = useMoments();
  const { inForce, second, needed } = reply.duties;
  const isOn = reply.values[name] !== null;
  if (inForce.includes(name)) {
    const lacks = reply.admins.total < needed;
    const who = lacks ? ` Together with the others it takes ${needed} administrators.` : '';
    return <p className="field__hint">{`In force.${who}`}</p>;
  }
  const from = second === null || second.from === null ? null : write(second.from, 'weekdayTime');
  if (second !== null && from === null && !isOn) return null;
  const which = needed > 2 ? `person ${needed} of ${needed}` : 'the second person';
  const when =
    second === null || from === null
      ? `in force once another administrator can be ${which}.`
      : `in force from ${from}, when ${second.name} can be ${which}.`;
  return (
    <p className="field__hint">
      {isOn
        ? `${when.replace('in', 'In')} Until then one person is enough.`
        : `Once switched on, ${when}`}
    </p>
  );
}

function TwoFactorShare({ admins }: Pick<SettingsReply, 'admins'>) {
  const { total, withoutTwoFactor } = admins;
  const having = `${total - withoutTwoFactor.length} of ${total} have it.`;
  const others = withoutTwoFactor.length === 0 ? '' : ` Without: ${withoutTwoFactor.join(', ')}.`;
  return <p className="field__hint">{having + others}</p>;
}

/** Read-only row, so that nobody looks for the setting. */
export function CurrencyRow({ reply: { values } }: { reply: SettingsReply }) {
  return (
    <div className="setting">
      <div className="setting__name">
        <span className="field__label">Currency</span>
        <p className="field__hint">The first account was opened in it, so the currency stays.</p>
      </div>
      <p className="setting__fixed">{wordsOf('currency', values.currency)}</p>
    </div>
  );
}
