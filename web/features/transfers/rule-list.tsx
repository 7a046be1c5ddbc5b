import { ArrowDown, ArrowUp, Ellipsis, GripVertical } from 'lucide-react';
import { useState } from 'react';
import type { AutomaticTransfers } from '#contract/api.ts';
import { ConfirmAction, questionTo, useAction } from '#web/kit/action.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Icon } from '#web/ui/icon.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { Status } from '#web/ui/status.tsx';
import { moved, ruleDetail, ruleSentence, targetLabel, type Rule } from './rules.ts';
import { sendRules } from './send-rules.ts';

interface RuleListProps {
  of: AutomaticTransfers;
  onChange: (index: number) => void;
}

/** The rules of an account in their order, which arrows and dragging change. */
export function RuleList({ of, onChange }: RuleListProps) {
  const { rules } = of;
  const [removed, setRemoved] = useState<number>();
  const [dragged, setDragged] = useState<number>();
  const move = useAction({
    send: (next: readonly Rule[], options) => sendRules(of, next, options),
    topics: ['payments'],
    failed: 'The order was not changed',
  });
  const moveTo = (from: number, to: number) => {
    if (!move.isPending && from !== to) move.mutate(moved(rules, from, to));
  };
  return (
    <>
      <ol
        className={classNames(
          'transfers__rules',
          of.pausedAt !== null && 'transfers__rules--paused',
        )}
      >
        {rules.map((rule, index) => (
          <li
            key={`${rule.to.id} ${ruleSentence(rule)} ${sameBefore(rules, index)}`}
            className={classNames(dragged === index && 'transfers__rule--dragged')}
            draggable
            onDragStart={() => setDragged(index)}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => dragged !== undefined && moveTo(dragged, index)}
          >
            <div>
              <p className="transfers__what num">{ruleSentence(rule)}</p>
              <p className="meta num">{ruleDetail(rule)}</p>
              {rule.refusal !== null && (
                <p className="meta">
                  <Status status="pending" label="Left out" /> {rule.refusal}
                </p>
              )}
            </div>
            <div className="transfers__acts">
              <span className="transfers__grip" aria-hidden="true">
                <Icon of={GripVertical} size={16} />
              </span>
              <span className="transfers__arrows">
                <IconButton
                  icon={ArrowUp}
                  label={`Move up: ${ruleSentence(rule)}`}
                  size={16}
                  isDisabled={index === 0}
                  onPress={() => moveTo(index, index - 1)}
                />
                <IconButton
                  icon={ArrowDown}
                  label={`Move down: ${ruleSentence(rule)}`}
                  size={16}
                  isDisabled={index === rules.length - 1}
                  onPress={() => moveTo(index, index + 1)}
                />
              </span>
              <Menu
                label={`Further actions for ${targetLabel(rule.to)}`}
                trigger={
                  <IconButton icon={Ellipsis} label={`More: ${ruleSentence(rule)}`} size={16} />
                }
                actions={[
                  { id: 'change', label: 'Change', onPress: () => onChange(index) },
                  {
                    id: 'remove',
                    label: 'Remove',
                    isDangerous: true,
                    onPress: () => setRemoved(index),
                  },
                ]}
              />
            </div>
          </li>
        ))}
      </ol>
      {removed !== undefined && (
        <RemoveRule of={of} index={removed} onClose={() => setRemoved(undefined)} />
      )}
    </>
  );
}

/** Number of equal rules before one, so that their keys differ. */
function sameBefore(rules: readonly Rule[], index: number): number {
  const sentence = rules[index] === undefined ? '' : ruleSentence(rules[index]);
  return rules.slice(0, index).filter((rule) => ruleSentence(rule) === sentence).length;
}

function RemoveRule({
  of,
  index,
  onClose,
}: {
  of: AutomaticTransfers;
  index: number;
  onClose: () => void;
}) {
  const rule = of.rules[index];
  if (rule === undefined) return null;
  return (
    <ConfirmAction
      {...questionTo('Remove', 'transfer')}
      send={(_, options) =>
        sendRules(
          of,
          of.rules.filter((_rule, at) => at !== index),
          options,
        )
      }
      topics={['payments']}
      done={{ title: 'Transfer Removed' }}
      failed="Transfer not removed"
      sent={{ what: 'your change', where: 'under Automatic Transfers' }}
      onClose={onClose}
    >
      {ruleSentence(rule)} ends. What was transferred stays.
    </ConfirmAction>
  );
}
