import type { SettingsReply } from '#contract/api.ts';
import { SETTINGS, type SettingName } from '#contract/settings.ts';
import { wordsOf } from './typed-settings.ts';

/** What cannot be in force is not offered: separating duties takes two admins, a currency that is in use stays. */
export function isOffered(name: SettingName, reply: SettingsReply): boolean {
  const { canSeparateDuties, isCurrencyFixed, values } = reply;
  if (name === 'currency') return !isCurrencyFixed;
  return SETTINGS[name].section !== 'duties' || canSeparateDuties || values[name] !== null;
}

/** What follows from a setting now, where that is worth saying. */
export function Consequence({
  name,
  reply: { admins },
}: {
  name: SettingName;
  reply: SettingsReply;
}) {
  if (name !== 'requireAdminTwoFactor') return null;
  const { total, withoutTwoFactor } = admins;
  const having = `${total - withoutTwoFactor.length} of ${total} have it.`;
  const others = withoutTwoFactor.length === 0 ? '' : ` Without: ${withoutTwoFactor.join(', ')}.`;
  return <p className="field__hint">{having + others}</p>;
}

/** Shown, so that nobody looks for it; it cannot be changed. */
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
