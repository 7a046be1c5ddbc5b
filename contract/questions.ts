import { NOTES_MAX_LENGTH } from './limits.ts';
import { paragraph } from './rules.ts';

export const QUESTION_STATUSES = ['waiting', 'answered'] as const;
export type QuestionStatus = (typeof QUESTION_STATUSES)[number];

/** Checks that a browser makes of a number, in their order. */
export const NUMBER_CHECKS = ['sum', 'content', 'chain', 'signature'] as const;
export type NumberCheck = (typeof NUMBER_CHECKS)[number];

export type QuestionAction = 'answer';

/** In which status each action is legal: a question has one answer. */
export const questionCan = {
  answer: ['waiting'],
} as const satisfies Record<QuestionAction, readonly QuestionStatus[]>;

/** Longest question. */
const QUESTION_MAX_LENGTH = 500;

export const questionRules = {
  question: paragraph(QUESTION_MAX_LENGTH, 'Enter your question'),
  answer: paragraph(NOTES_MAX_LENGTH, 'Enter the answer'),
};
