import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Steps } from './steps.tsx';

test('links each step except the current one and those that cannot be opened', () => {
  const markup = renderToStaticMarkup(
    <Steps
      label="Steps"
      steps={['Authentication', 'Personal', 'Contact']}
      current={1}
      hrefOf={(index) => (index === 0 ? undefined : `/onboarding?step=${index + 1}`)}
    />,
  );
  expect(markup.match(/href="[^"]+"/g)).toEqual(['href="/onboarding?step=3"']);
});
