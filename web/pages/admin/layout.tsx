import { Outlet } from '@tanstack/react-router';
import { RequireRole } from '#web/features/session/require-role.tsx';
import { AreaLayout } from '#web/features/shell/area-layout.tsx';
import { ADMIN_NAVIGATION } from '#web/features/shell/navigation.ts';

/** Everything under /admin but /admin/setup, which is everyone's. */
export function AdminLayout() {
  return (
    <RequireRole role="admin">
      <AreaLayout navigation={ADMIN_NAVIGATION}>
        <Outlet />
      </AreaLayout>
    </RequireRole>
  );
}
