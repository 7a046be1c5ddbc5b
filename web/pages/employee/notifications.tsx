import { NotificationsScreen } from '../notifications-screen.tsx';

/** `/employee/notifications` */
export function EmployeeNotificationsPage() {
  return <NotificationsScreen area="employee" />;
}
