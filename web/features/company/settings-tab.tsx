import type { SettingsReply } from '#contract/api.ts';
import {
  SETTINGS_SECTIONS,
  type SettingsSection,
  type SettingsTab as TabName,
} from '#contract/setting-kinds.ts';
import { SETTINGS, settingsOf } from '#contract/settings.ts';
import { ActBar } from '#web/kit/act-bar.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormSummary } from '#web/ui/form-summary.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { Paydays } from './paydays.tsx';
import { CurrencyRow, isLegal } from './setting-consequence.tsx';
import { SettingRows } from './setting-row.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';
import { useSettingsForm } from './use-settings-form.ts';

interface SettingsTabProps {
  tab: TabName;
  reply: SettingsReply;
  draft: SettingsDraft;
  onSaved: (at: Date) => void;
}

const SCHEDULE = settingsOf('payroll').filter((name) => SETTINGS[name].section === 'schedule');

/** Settings of one tab, and the bar that saves them. */
export function SettingsTab({ tab, reply, draft, onSaved }: SettingsTabProps) {
  const names = settingsOf(tab).filter((name) => isLegal(name, reply, draft));
  const form = useSettingsForm({ names, reply, draft, onSaved });
  const { edited } = form;
  const sections = (Object.keys(SETTINGS_SECTIONS) as SettingsSection[]).filter((section) =>
    names.some((name) => SETTINGS[name].section === section),
  );

  return (
    <form
      noValidate
      className="settings-form"
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <FormSummary title="Please check the settings" {...form.summary} />
      {tab === 'notifications' && !reply.hasMailServer && <NoMailServer />}
      {sections.map((section) => (
        <div className="settings" key={section}>
          <Section title={SETTINGS_SECTIONS[section].title}>
            {section === 'duties' && (
              <p className="field__hint">{SETTINGS_SECTIONS[section].hint}</p>
            )}
            <SettingRows
              names={names.filter((name) => SETTINGS[name].section === section)}
              reply={reply}
              draft={draft}
              form={form}
            />
            {section === 'time' && reply.isCurrencyFixed && <CurrencyRow reply={reply} />}
            {section === 'schedule' && (
              <Paydays
                days={reply.nextPaydays}
                currency={reply.values.currency}
                isStale={SCHEDULE.some(draft.isEdited)}
              />
            )}
          </Section>
        </div>
      ))}
      {edited.length > 0 && (
        <ActBar
          label="Unsaved changes"
          what={
            <span className="strong" role="status">
              {edited.length === 1 ? '1 unsaved change' : `${edited.length} unsaved changes`}
            </span>
          }
        >
          <Button
            onPress={() => {
              form.forget(names);
              draft.drop(edited);
            }}
          >
            Discard
          </Button>
          <Button
            kind="solid"
            type="submit"
            isPending={form.isPending}
            pendingLabel="Saving"
            why={form.why}
          >
            Save Changes
          </Button>
        </ActBar>
      )}
    </form>
  );
}

function NoMailServer() {
  return (
    <Notice tone="caution">
      <span className="strong">No mail server is set.</span> No mail is sent. Notifications still
      arrive in the app. Set SMTP_URL on the server and restart it.
    </Notice>
  );
}
