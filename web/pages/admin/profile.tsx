import { useQuery } from '@tanstack/react-query';
import { fullName } from '#contract/person-name.ts';
import { apiQuery } from '#web/api/query.ts';
import { ProfilePhoto } from '#web/features/identity/profile-photo.tsx';
import { SecuritySettings } from '#web/features/identity/security/security-settings.tsx';
import { Corrections } from '#web/features/kyc/status/corrections.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';

/** `/admin/profile`: an administrator's picture, how they sign in, and corrections of their data. */
export function AdminProfilePage() {
  const session = useSession().data;
  const user = session?.user ?? null;
  // Administrators who are no employees have no application.
  const application = useQuery({
    ...apiQuery('getMyApplication', {}),
    enabled: user?.isEmployee === true,
  });
  return (
    <>
      <ScreenHead />
      {session !== undefined && user !== null && (
        <div className="mb-6">
          <ProfilePhoto name={fullName(user)} avatarUrl={session.avatarUrl} />
        </div>
      )}
      <SecuritySettings role="admin" />
      <Corrections history={application.data?.history ?? []} />
    </>
  );
}
