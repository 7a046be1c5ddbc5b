import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { CompanySetup } from '#web/features/company/company-setup.tsx';
import { AdminInvites } from '#web/features/identity/invites/admin-invites.tsx';
import { TwoFactor } from '#web/features/identity/security/two-factor.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** `/admin/company-setup`: the first run of a company, which all admins share. */
export function CompanySetupPage() {
  const setup = useQuery(apiQuery('adminGetSetup', {}));
  const settings = useQuery(apiQuery('adminGetSettings', {}));
  const failed = [setup, settings].find(({ data, isError }) => data === undefined && isError);
  return (
    <>
      <ScreenHead />
      {failed !== undefined && <QueryError query={failed} what="the set-up" />}
      {failed === undefined && (setup.isPending || settings.isPending) && (
        <Skeleton lines={10} label="Loading the set-up" />
      )}
      {setup.data !== undefined && settings.data !== undefined && (
        <CompanySetup
          setup={setup.data}
          settings={settings.data}
          parts={{
            twoFactor: <TwoFactor />,
            secondAdmin: <AdminInvites />,
          }}
        />
      )}
    </>
  );
}
