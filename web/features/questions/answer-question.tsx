import { EmployeeLink } from '#web/kit/employee-link.tsx';
import type { AdminQuestion } from '#contract/api.ts';
import { questionRules, type NumberCheck } from '#contract/questions.ts';
import { call } from '#web/api/client.ts';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { checkRules } from '#web/kit/form-state.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { Time } from '#web/ui/time.tsx';

interface QuestionDialogProps {
  question: AdminQuestion;
  onClose: () => void;
}

/** One question with its transaction, and its answer or the form to answer it. */
export function QuestionDialog(props: QuestionDialogProps) {
  const { question, onClose } = props;
  if (question.answer === null) return <AnswerForm {...props} />;
  const { text, by, at } = question.answer;
  return (
    <Dialog
      title="Question"
      onClose={onClose}
      actions={
        <Button slot="close" kind="solid">
          Close
        </Button>
      }
    >
      <Facts
        isTight
        facts={[
          ...factsOf(question),
          { label: 'Answer', value: <span dir="auto">{text}</span> },
          {
            label: 'Answered',
            value: (
              <>
                {by}, <Time at={at} as="dateTime" />
              </>
            ),
          },
        ]}
      />
    </Dialog>
  );
}

function AnswerForm({ question, onClose }: QuestionDialogProps) {
  return (
    <TaskDialog
      title="Answer question"
      initial={{ answer: '' }}
      check={(values) => checkRules(values, { answer: questionRules.answer })}
      send={(body: { answer: string }) =>
        call('adminAnswerQuestion', { params: { id: question.id }, body })
      }
      topics={['questions']}
      done={{ title: 'Question Answered', message: `${question.employee.name} is notified.` }}
      submit={{ label: 'Send Answer', pending: 'Sending', why: question.refusal ?? undefined }}
      onClose={onClose}
    >
      {({ answer }) => (
        <>
          <Facts isTight facts={factsOf(question)} />
          <TextArea
            label="Answer"
            isRequired
            rows={5}
            maxLength={questionRules.answer.maxLength}
            hint="The answer is sent as you write it and kept with the question."
            {...answer}
          />
        </>
      )}
    </TaskDialog>
  );
}

function factsOf(question: AdminQuestion): Fact[] {
  const { employee, reference, description, transactionId, payslipId, finding } = question;
  return [
    {
      label: 'Employee',
      value: <EmployeeLink employee={employee} />,
    },
    {
      label: 'About',
      value: (
        <>
          {description}{' '}
          {transactionId === null ? (
            <span className="id" translate="no">
              {reference}
            </span>
          ) : (
            <TextLink href={`/admin/transactions/${transactionId}`}>{reference}</TextLink>
          )}
        </>
      ),
      action: payslipId !== null && (
        <TextLink href={`/admin/employees/${employee.id}/documents/${payslipId}`}>
          Open payslip
        </TextLink>
      ),
    },
    { label: 'Asked', value: <Time at={question.askedAt} as="dateTime" /> },
    {
      label: finding === null ? 'Question' : 'Report',
      value: <span dir="auto">{question.question}</span>,
    },
    ...(finding === null ? [] : findingFacts(finding)),
  ];
}

const CHECK_WORDS: Record<NumberCheck, string> = {
  sum: 'It does not add up',
  content: 'A line was changed',
  chain: 'A block is missing or was changed',
  signature: 'It was not signed by the company',
};

/** Facts of a failed check, with which an admin can find it in the sealed ledger. */
function findingFacts({ check, block, root }: NonNullable<AdminQuestion['finding']>): Fact[] {
  return [
    { label: 'Failed check', value: CHECK_WORDS[check] },
    ...(block === null ? [] : [{ label: 'Block', value: formatCount(BigInt(block)) }]),
    ...(root === null
      ? []
      : [
          {
            label: 'Root',
            value: (
              <span className="id" translate="no">
                {root}
              </span>
            ),
            action: <CopyValue value={root} label="Copy root" />,
          },
        ]),
  ];
}
