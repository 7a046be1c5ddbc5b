import { DeskPage } from '#web/desk/desk-page.tsx';
import { DEPOSIT_DESK } from '#web/features/deposits/desk.tsx';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';

/** `/admin/deposits`; `?deposit=` opens one. */
export function DepositsPage() {
  return (
    <>
      <ScreenHead />
      <DeskPage desk={DEPOSIT_DESK} />
    </>
  );
}
