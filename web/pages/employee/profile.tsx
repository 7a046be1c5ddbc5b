import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { User } from '#contract/api.ts';
import { fullName } from '#contract/person-name.ts';
import { apiQuery } from '#web/api/query.ts';
import { ProfilePhoto } from '#web/features/identity/profile-photo.tsx';
import { SecuritySettings } from '#web/features/identity/security/security-settings.tsx';
import { Corrections } from '#web/features/kyc/status/corrections.tsx';
import { ProfileFacts } from '#web/features/kyc/status/profile-facts.tsx';
import { ProfileIdentity } from '#web/features/kyc/status/profile-identity.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import '#web/features/kyc/status/identity.css';

const TABS = ['profile', 'security', 'kyc'] as const;

/** `/employee/profile`; `?tab=security` is the password, `?tab=kyc` the identity check. */
export function ProfilePage() {
  const session = useSession();
  const { tab } = useSearch({ from: '/employee/employee/profile' });
  const navigate = useNavigate({ from: '/employee/profile' });
  const user = session.data?.user;
  if (session.data === undefined || user === undefined || user === null) return null;
  return (
    <>
      <ScreenHead />
      <Tabs
        label="Profile"
        selected={TABS.find((known) => known === tab) ?? 'profile'}
        onSelect={(next) =>
          void navigate({ search: next === 'profile' ? {} : { tab: next }, replace: true })
        }
        tabs={[
          {
            id: 'profile',
            label: 'Profile',
            content: <Profile user={user} avatarUrl={session.data.avatarUrl} />,
          },
          {
            id: 'security',
            label: 'Security',
            content: <SecuritySettings role="employee" />,
          },
          { id: 'kyc', label: 'KYC Info', content: <KycInfo /> },
        ]}
      />
    </>
  );
}

function Profile({ user, avatarUrl }: { user: User; avatarUrl: string | null }) {
  const application = useQuery(apiQuery('getMyApplication', {}));
  return (
    <LoadedQuery query={application} what="your profile" lines={10}>
      {(data) => (
        <div className="profile">
          <ProfileFacts
            user={user}
            application={data}
            photo={<ProfilePhoto name={fullName(user)} avatarUrl={avatarUrl} />}
          />
          <Corrections history={data.history} />
        </div>
      )}
    </LoadedQuery>
  );
}

function KycInfo() {
  const verification = useQuery(apiQuery('getMyVerification', {}));
  return (
    <LoadedQuery query={verification} what="your verification">
      {(data) => (
        <div className="profile">
          <ProfileIdentity verification={data} />
        </div>
      )}
    </LoadedQuery>
  );
}
