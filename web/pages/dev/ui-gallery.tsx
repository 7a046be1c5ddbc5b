import './ui-gallery.css';
import { CompanyContext } from '#web/lib/company.ts';
import { ToastRegion } from '#web/ui/toast.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { ButtonStates } from './button-states.tsx';
import { ChoiceStates, FieldStates, FormExample } from './field-states.tsx';
import { ColourStates, IdentityStates, TypeStates } from './look-states.tsx';
import { EmptyLoadingErrorStates, NoticeStates, ToastStates } from './message-states.tsx';
import { OverlayStates } from './overlay-states.tsx';
import { ProgressStates, RailStates, StatusStates } from './progress-states.tsx';
import { FiguresAndTables, TabsAndPages } from './table-states.tsx';
import { Cell } from './cell.tsx';
import { SPECIMEN_COMPANY } from './specimen.ts';

/** Every component in every state, for looking at and for the accessibility checks. Development only. */
export function UiGallery() {
  return (
    <CompanyContext value={SPECIMEN_COMPANY}>
      <main className="gallery">
        <PageTitle>Components and states</PageTitle>
        <p className="muted">Everything the screens use, in every state it can be in.</p>
        <div className="gallery__grid">
          <Cell title="Colour" width={12}>
            <ColourStates />
          </Cell>
          <Cell title="Type" width={5}>
            <TypeStates />
          </Cell>
          <Cell title="Buttons" width={7}>
            <ButtonStates />
          </Cell>
          <Cell title="Fields" width={4}>
            <FieldStates />
          </Cell>
          <Cell title="Status" width={4}>
            <StatusStates />
            <h3 className="section-title gallery__again">Ticks and bars</h3>
            <ProgressStates />
            <h3 className="section-title gallery__again">Choices</h3>
            <ChoiceStates />
          </Cell>
          <Cell title="Notices" width={4}>
            <NoticeStates />
            <h3 className="section-title gallery__again">Toasts</h3>
            <ToastStates />
          </Cell>
          <Cell title="A form" width={12}>
            <FormExample />
          </Cell>
          <Cell title="The money rail" width={12}>
            <RailStates />
          </Cell>
          <Cell title="Figures and tables" width={12}>
            <FiguresAndTables />
          </Cell>
          <Cell title="Empty, loading, error" width={12}>
            <EmptyLoadingErrorStates />
          </Cell>
          <Cell title="Dialogs, menus, disclosure" width={5}>
            <OverlayStates />
          </Cell>
          <Cell title="Tabs and pages" width={7}>
            <TabsAndPages />
            <IdentityStates />
          </Cell>
        </div>
        <ToastRegion />
      </main>
    </CompanyContext>
  );
}
