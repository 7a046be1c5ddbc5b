import type { ReactNode } from 'react';
import type { SettingsReply } from '#contract/api.ts';
import { SETTINGS, type SettingName } from '#contract/settings.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Time } from '#web/ui/time.tsx';
import { Consequence } from './setting-consequence.tsx';
import { SettingControl } from './setting-control.tsx';
import { wordsOf, type Typed } from './typed-settings.ts';
import type { SettingsDraft } from './use-settings-draft.ts';
import type { SettingsForm } from './use-settings-form.ts';

interface SettingRowsProps {
  names: readonly SettingName[];
  reply: SettingsReply;
  draft: SettingsDraft;
  form: Pick<SettingsForm, 'problems' | 'forget'>;
}

/** Settings of a form, each with its current effect. */
export function SettingRows({ names, reply, draft, form }: SettingRowsProps) {
  return names.map((name) => (
    <SettingRow
      key={name}
      name={name}
      reply={reply}
      draft={draft}
      error={form.problems[name]}
      onEdit={() => form.forget([name])}
    >
      <Consequence name={name} reply={reply} />
    </SettingRow>
  ));
}

interface SettingRowProps {
  name: SettingName;
  reply: SettingsReply;
  draft: SettingsDraft;
  error: string | undefined;
  onEdit: () => void;
  /** Current effect of the setting, under its field. */
  children?: ReactNode;
}

/** One setting: name, value, and the person who last changed it. */
function SettingRow({ name, reply, draft, error, onEdit, children }: SettingRowProps) {
  const last = reply.lastChanges.find(({ setting }) => setting === name);
  return (
    <div className={`setting setting--${SETTINGS[name].kind}`}>
      <SettingControl
        name={name}
        typed={draft.typedOf(name)}
        currency={reply.values.currency}
        error={error}
        onChange={(typed) => {
          onEdit();
          draft.edit(name, typed);
        }}
      />
      <p className="setting__last meta num">
        {draft.isEdited(name) ? (
          <>
            <span className="setting__new">Unsaved</span>
            <span className="setting__when">{`${wordsOf(name, reply.values[name])} before`}</span>
          </>
        ) : (
          last !== undefined && (
            <>
              <span>{last.isMine ? 'You' : (last.by ?? 'Purser')}</span>
              <span className="setting__when">
                <Time at={last.at} as="shortDateTime" />
              </span>
            </>
          )
        )}
      </p>
      {(children !== undefined || draft.isClashing(name)) && (
        <div className="setting__more">
          {draft.isClashing(name) && <Clash name={name} reply={reply} draft={draft} last={last} />}
          {children}
        </div>
      )}
    </div>
  );
}

interface ClashProps {
  name: SettingName;
  reply: SettingsReply;
  draft: SettingsDraft;
  last: SettingsReply['lastChanges'][number] | undefined;
}

/** Conflict of two admins who edit one setting. The second one chooses the value to keep. */
function Clash({ name, reply, draft, last }: ClashProps) {
  const theirs = wordsOf(name, reply.values[name]);
  return (
    <Notice tone="caution" role="alert">
      <p>
        <span className="strong">{`${last?.by ?? 'Purser'} set this to ${theirs}`}</span>
        {last !== undefined && (
          <>
            {' at '}
            <Time at={last.at} as="time" />
          </>
        )}
        , while you were editing.
      </p>
      <p className="setting__pick">
        <Button shape="text" onPress={() => draft.keep(name)}>
          {`Keep ${keptWords(draft.typedOf(name), name)}`}
        </Button>
        <Button shape="text" onPress={() => draft.drop([name])}>
          {`Take ${theirs}`}
        </Button>
      </p>
    </Notice>
  );
}

/** Typed value in words, for fields that have no words of their own. */
function keptWords(typed: Typed, name: SettingName): string {
  const setting = SETTINGS[name];
  if (typeof typed === 'boolean') return wordsOf(name, typed);
  if (setting.kind === 'number') return `${typed} ${setting.unit}`;
  return setting.kind === 'choice' ? wordsOf(name, typed) : typed || 'Not set';
}
