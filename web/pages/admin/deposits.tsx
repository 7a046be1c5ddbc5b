import { DeskPage } from '#web/desk/desk-page.tsx';
import { DEPOSIT_DESK } from '#web/features/deposits/desk.tsx';

/** `/admin/deposits`; `?deposit=` opens one. */
export function DepositsPage() {
  return <DeskPage desk={DEPOSIT_DESK} />;
}
