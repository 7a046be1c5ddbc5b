export { askQuestion } from './ask-question.ts';
export { questionHandlers } from './routes.ts';
