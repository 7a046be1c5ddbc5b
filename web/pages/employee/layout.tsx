import { Outlet } from '@tanstack/react-router';
import { RequireRole } from '#web/features/session/require-role.tsx';
import { AreaLayout } from '#web/features/shell/area-layout.tsx';
import { EMPLOYEE_NAVIGATION } from '#web/features/shell/navigation.ts';

/** Everything under /employee. */
export function EmployeeLayout() {
  return (
    <RequireRole role="employee">
      <AreaLayout navigation={EMPLOYEE_NAVIGATION}>
        <Outlet />
      </AreaLayout>
    </RequireRole>
  );
}
