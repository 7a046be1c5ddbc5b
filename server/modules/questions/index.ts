export { askQuestion } from './ask-question.ts';
