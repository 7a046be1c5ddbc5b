import { Outlet } from '@tanstack/react-router';
import { SignedInArea } from '#web/pages/signed-in-area.tsx';
import { RequireRole } from '#web/features/session/require-role.tsx';
import { EMPLOYEE_NAVIGATION } from '#web/features/shell/navigation.ts';

/** Everything under /employee. */
export function EmployeeLayout() {
  return (
    <RequireRole role="employee">
      <SignedInArea navigation={EMPLOYEE_NAVIGATION}>
        <Outlet />
      </SignedInArea>
    </RequireRole>
  );
}
