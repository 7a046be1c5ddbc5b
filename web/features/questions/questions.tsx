import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Question, RouteInput } from '#contract/api.ts';
import { questionRules } from '#contract/questions.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { checkRules } from '#web/kit/form-state.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { Time } from '#web/ui/time.tsx';
import './questions.css';

type EventId = RouteInput<'listQuestions'>['params']['id'];

interface QuestionsProps {
  /** Id of the row of the history, from the address. */
  event: string;
  /** Name of the transaction on this screen: "this payslip". */
  about: string;
}

/**
 * The person's questions about one of their transactions, with answers and a form for another
 * question.
 */
export function Questions({ event, about }: QuestionsProps) {
  const params = { id: event as EventId };
  const query = useQuery(apiQuery('listQuestions', { params }));
  const [isAsking, setIsAsking] = useState(false);
  const error = query.isError && <QueryError query={query} what="the questions" />;
  if (query.data === undefined) return error;
  const { questions: items } = query.data;
  const waits = items.some(({ status, finding }) => status === 'waiting' && finding === null);
  return (
    <section className="questions" aria-label="Questions">
      {error}
      {items.map((one) => (
        <QuestionWithAnswer key={one.id} question={one} />
      ))}
      {!waits && (
        <Button onPress={() => setIsAsking(true)}>
          {items.length === 0 ? `Ask about ${about}` : 'Ask another question'}
        </Button>
      )}
      {isAsking && <Ask event={params.id} about={about} onClose={() => setIsAsking(false)} />}
    </section>
  );
}

function QuestionWithAnswer({ question: one }: { question: Question }) {
  const { question, askedAt, answer, finding } = one;
  return (
    <dl className="questions__one">
      <dt>
        {finding === null ? 'You asked' : 'You reported'}, <Time at={askedAt} as="shortDateTime" />
      </dt>
      <dd dir="auto">{question}</dd>
      {answer === null ? (
        <dt>Waiting for an answer</dt>
      ) : (
        <>
          <dt>
            {answer.by} answered, <Time at={answer.at} as="shortDateTime" />
          </dt>
          <dd dir="auto">{answer.text}</dd>
        </>
      )}
    </dl>
  );
}

interface AskProps {
  event: EventId;
  about: string;
  onClose: () => void;
}

function Ask({ event, about, onClose }: AskProps) {
  return (
    <TaskDialog
      title={`Ask about ${about}`}
      initial={{ question: '' }}
      check={(values) => checkRules(values, { question: questionRules.question })}
      send={(body: { question: string }) => call('askQuestion', { params: { id: event }, body })}
      topics={['questions']}
      done={{
        title: 'Question Sent',
        message: 'An administrator answers it here. You are notified.',
      }}
      submit={{ label: 'Send Question', pending: 'Sending' }}
      onClose={onClose}
    >
      {({ question }) => (
        <TextArea
          label="Question"
          isRequired
          rows={4}
          maxLength={questionRules.question.maxLength}
          hint="The administrators see it with the reference. Question and answer are kept."
          {...question}
        />
      )}
    </TaskDialog>
  );
}
