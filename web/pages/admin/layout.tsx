import { Outlet } from '@tanstack/react-router';
import { SignedInArea } from '#web/pages/signed-in-area.tsx';
import { CommandBar } from '#web/features/command/command-bar.tsx';
import { RequireRole } from '#web/features/session/require-role.tsx';

/** Everything under /admin but /admin/setup, which is everyone's. */
export function AdminLayout() {
  return (
    <RequireRole role="admin">
      <SignedInArea area="admin" tools={<CommandBar />}>
        <Outlet />
      </SignedInArea>
    </RequireRole>
  );
}
