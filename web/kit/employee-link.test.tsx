import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { EmployeeLink } from './employee-link.tsx';

const markupOf = (employeeId: string | null) =>
  renderToStaticMarkup(<EmployeeLink employee={{ id: '1', name: 'Aanya Hoffmann', employeeId }} />);

test('the number of an employee is not parted at its hyphen', () => {
  expect(markupOf('EMP-0008')).toMatch(/<span class="person-number">.*EMP-0008.*<\/span>/);
  expect(markupOf(null)).not.toContain('person-number');
});
