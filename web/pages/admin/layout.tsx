import { Outlet } from '@tanstack/react-router';
import { SignedInArea } from '#web/pages/signed-in-area.tsx';
import { RequireRole } from '#web/features/session/require-role.tsx';
import { ADMIN_NAVIGATION } from '#web/features/shell/navigation.ts';

/** Everything under /admin but /admin/setup, which is everyone's. */
export function AdminLayout() {
  return (
    <RequireRole role="admin">
      <SignedInArea navigation={ADMIN_NAVIGATION}>
        <Outlet />
      </SignedInArea>
    </RequireRole>
  );
}
