import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Steps } from './steps.tsx';

test('a step leads to where it is opened, but not the current one nor one that cannot be', () => {
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
