import type { Currency } from '#contract/money.ts';
import { isOffered, settingWords, type Setting } from '#contract/setting-kinds.ts';
import { SETTINGS, type SettingName } from '#contract/settings.ts';
import { useId } from 'react';
import { DateField } from '#web/ui/date-field.tsx';
import { ReadBeforeDrawing } from '#web/lib/read-fields.ts';
import { FieldNotes, describedBy } from '#web/ui/field.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import type { Typed } from './typed-settings.ts';

interface SettingControlProps {
  name: SettingName;
  typed: Typed;
  currency: Currency;
  error: string | undefined;
  onChange: (typed: Typed) => void;
}

/** Label and field of a setting, by its kind. */
export function SettingControl({ name, typed, currency, error, onChange }: SettingControlProps) {
  const setting: Setting = SETTINGS[name];
  const { label, hint } = settingWords(setting, currency) ?? setting;
  if (typeof typed === 'boolean') {
    return <FlagControl {...{ name, label, hint, error, onChange }} isChecked={typed} />;
  }
  const field = { name, label, hint, error, value: typed, onChange };
  switch (setting.kind) {
    case 'choice':
      return (
        <Select
          {...field}
          options={Object.entries(setting.options)
            .filter(([value]) => value === typed || isOffered(setting, value, currency))
            .map(([value, words]) => ({ value, label: words }))}
        />
      );
    case 'amount':
      return <MoneyField {...field} size="standard" currency={currency} placeholder="Off" />;
    case 'day':
      return <DateField {...field} />;
    case 'number':
      return (
        <>
          <TextField {...field} inputMode="numeric" autoComplete="off" />
          <span className="setting__unit">{setting.unit}</span>
        </>
      );
    case 'text':
      if (setting.isLong === true) return <TextArea {...field} rows={2} />;
      return <TextField {...field} autoComplete="off" />;
    case 'list':
    case 'flag':
      return <TextField {...field} autoComplete="off" />;
  }
}

interface FlagControlProps {
  name: SettingName;
  label: string;
  hint: string | undefined;
  isChecked: boolean;
  error: string | undefined;
  onChange: (isChecked: boolean) => void;
}

/** Checkbox. Its own label says little without the setting's name next to it. */
function FlagControl({ name, label, hint, isChecked, error, onChange }: FlagControlProps) {
  const id = useId();
  const setting: Setting = SETTINGS[name];
  return (
    <div className="field">
      <span className="field__top">
        <span className="field__label" id={`${id}-name`}>
          {label}
        </span>
      </span>
      <label className="check">
        <ReadBeforeDrawing>
          <input
            id={id}
            type="checkbox"
            name={name}
            checked={isChecked}
            data-drawn={isChecked}
            aria-labelledby={`${id}-name ${id}-says`}
            aria-describedby={describedBy(id, { hint, error })}
            onChange={(event) => onChange(event.target.checked)}
          />
        </ReadBeforeDrawing>
        <span id={`${id}-says`}>{setting.kind === 'flag' ? setting.says : ''}</span>
      </label>
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}
