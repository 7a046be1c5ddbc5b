import { Outlet } from '@tanstack/react-router';
import { SignedInArea } from '#web/pages/signed-in-area.tsx';
import { RequireRole } from '#web/features/session/require-role.tsx';

/** Everything under /employee. */
export function EmployeeLayout() {
  return (
    <RequireRole role="employee">
      <SignedInArea area="employee">
        <Outlet />
      </SignedInArea>
    </RequireRole>
  );
}
