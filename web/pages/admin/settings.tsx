import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useState } from 'react';
import type { SettingsReply } from '#contract/api.ts';
import { SETTINGS_TABS, type SettingsTab as TabName } from '#contract/setting-kinds.ts';
import { SETTING_NAMES } from '#contract/settings.ts';
import { apiQuery } from '#web/api/query.ts';
import { useUnsavedWork } from '#web/lib/unsaved-work.ts';
import { Proposals } from '#web/features/company/proposal-notice.tsx';
import { SettingsTab } from '#web/features/company/settings-tab.tsx';
import { useSettingsDraft } from '#web/features/company/use-settings-draft.ts';
import { AdminInvites } from '#web/features/identity/invites/admin-invites.tsx';
import { Admins } from '#web/features/identity/invites/admins.tsx';
import { ApiKeys } from '#web/features/identity/api-keys/api-keys.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { Webhooks } from '#web/features/webhooks/webhooks.tsx';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { useMoments } from '#web/ui/time.tsx';
import '#web/features/company/settings.css';

const TAB_LABELS: Record<TabName, string> = {
  general: 'General',
  security: 'Security',
  notifications: 'Notifications',
  payroll: 'Payroll',
};

/** Tab of the systems that call Purser from outside. It has no settings with a value. */
const INTEGRATIONS = 'integrations';
const TABS = [...SETTINGS_TABS, INTEGRATIONS] as const;

/** `/admin/settings`; `?tab=security`. */
export function SettingsPage() {
  const settings = useQuery(apiQuery('adminGetSettings', {}));
  return (
    <>
      <ScreenHead />
      {settings.data !== undefined && <Settings reply={settings.data} />}
      {settings.data === undefined && settings.isError && (
        <QueryError query={settings} what="the settings" />
      )}
      {settings.isPending && <Skeleton lines={10} label="Loading the settings" />}
    </>
  );
}

function Settings({ reply }: { reply: SettingsReply }) {
  const { tab } = useSearch({ from: '/admin/admin/settings' });
  const navigate = useNavigate({ from: '/admin/settings' });
  const draft = useSettingsDraft(reply);
  const [savedAt, setSavedAt] = useState<Date>();
  useUnsavedWork(SETTING_NAMES.some(draft.isEdited), 'screen');
  return (
    <>
      <Proposals reply={reply} />
      <Tabs
        label="Settings"
        selected={TABS.find((known) => known === tab) ?? 'general'}
        onSelect={(next) =>
          void navigate({ search: next === 'general' ? {} : { tab: next }, replace: true })
        }
        end={
          <span className="settings-end">
            {savedAt !== undefined && <Saved at={savedAt} />}
            <AuditLink thing="settings" label="All changes" />
          </span>
        }
        tabs={[
          ...SETTINGS_TABS.map((id) => ({
            id,
            label: TAB_LABELS[id],
            content: (
              <>
                <SettingsTab tab={id} reply={reply} draft={draft} onSaved={setSavedAt} />
                {id === 'security' && <People />}
              </>
            ),
          })),
          { id: INTEGRATIONS, label: 'Integrations', content: <Integrations /> },
        ]}
      />
    </>
  );
}

function People() {
  return (
    <>
      <div className="settings settings--list">
        <Admins />
      </div>
      <div className="settings settings--list">
        <AdminInvites />
      </div>
    </>
  );
}

function Integrations() {
  return (
    <>
      <div className="settings settings--list">
        <ApiKeys />
      </div>
      <div className="settings settings--list">
        <Webhooks />
      </div>
    </>
  );
}

function Saved({ at }: { at: Date }) {
  const moment = useMoments();
  return (
    <span className="saved" role="status">
      <Icon of={Check} size={16} />
      {`Saved ${moment(at, 'time')}`}
    </span>
  );
}
