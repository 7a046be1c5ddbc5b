import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { questionList } from '#contract/lists.ts';
import type { QuestionStatus } from '#contract/questions.ts';
import { apiQuery } from '#web/api/query.ts';
import { questionColumns } from '#web/features/questions/admin-columns.tsx';
import { QuestionDialog } from '#web/features/questions/answer-question.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { PersonAlone } from '#web/kit/person-alone.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { useList } from '#web/kit/use-list.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

const WORDS = {
  label: 'Questions',
  itemNoun: 'questions',
  search: { label: 'Search questions', placeholder: 'Search employee' },
  none: {
    title: 'No questions waiting',
    hint: 'Questions about payslips and transactions appear here until they are answered.',
  },
  noMatch: 'No questions found',
};

const STATUS_LABELS: Record<QuestionStatus, string> = { waiting: 'Waiting', answered: 'Answered' };

const FILTERS = {
  status: { label: 'Status', nameOf: (status: QuestionStatus) => STATUS_LABELS[status] },
};

/** `/admin/questions`; `?question=` opens one. */
export function QuestionsPage() {
  const list = useList(questionList);
  const { question } = useSearch({ from: '/admin/admin/questions' });
  const navigate = useNavigate({ from: '/admin/questions' });
  const open = (id: string | undefined) =>
    void navigate({
      search: ({ question: _, ...view }) => ({ ...view, ...(id && { question: id }) }),
    });
  return (
    <>
      <ScreenHead />
      <ListPage
        state={list}
        words={WORDS}
        filters={FILTERS}
        columns={questionColumns({ now: list.paged.loadedAt, onOpen: ({ id }) => open(id) })}
        summary={
          list.address.person !== '' && (
            <PersonAlone id={list.address.person} onAll={() => list.change({ person: '' })} />
          )
        }
      />
      {question !== undefined && <OneQuestion id={question} onClose={() => open(undefined)} />}
    </>
  );
}

/** The question in the address, also one that the list's filters leave out. */
function OneQuestion({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(apiQuery('adminGetQuestion', { params: { id } }));
  if (query.data !== undefined) return <QuestionDialog question={query.data} onClose={onClose} />;
  return (
    <Dialog title="Question" onClose={onClose} actions={<Button slot="close">Close</Button>}>
      <LoadedQuery query={query} what="the question" lines={4} />
    </Dialog>
  );
}
