import { describe, expect, it } from 'vitest';
import { newPasswordProblem, ownWordProblem, passwordStrength } from './passwords.ts';

describe('the strength of a password', () => {
  it.each([
    ['', 0, 'Weak'],
    ['abcdefgh', 2, 'Weak'],
    ['abcdefg1', 3, 'Medium'],
    ['Abcdefg1', 4, 'Strong'],
    ['Abcdefg1!', 5, 'Strong'],
    ['nineteen characters', 2, 'Weak'],
    ['twenty characters it', 4, 'Strong'],
    ['правильная лошадь батарея', 4, 'Strong'],
  ])('of %j is %i, %s', (password, score, label) => {
    expect(passwordStrength(password)).toEqual({ score, label });
  });

  it('is enough from twenty characters on, whatever they are', () => {
    expect(newPasswordProblem('correct horse battery staple')).toBeUndefined();
    expect(newPasswordProblem('correct horse')).toBe('Choose a stronger password');
    expect(newPasswordProblem('Correct-horse-9\u001b')).toContain('U+001B');
    expect(newPasswordProblem('Aa1!')).toBe('Password must be at least 8 characters long.');
  });
});

describe('words that others know', () => {
  const owner = {
    firstName: 'Ann',
    lastName: 'Okafor-Lindström',
    email: 'a.lind.72@example.com',
    companyName: 'Tallis & Reed',
  };
  it.each([
    ['OKAFOR-2026-x', 'okafor'],
    ['x-lindstrom-77', 'lindstrom'],
    ['xLindström77', 'lindstrom'],
    ['Ann-and-the-77', 'ann'],
    ['a.Lind.72.again', 'alind72'],
    ['My-tallis-1', 'tallis'],
    ['Tall-oak77.Reed', 'reed'],
    ['T.a.l.l.i.s-7', 'tallis'],
    ['a long sentence that has Okafor in it', 'okafor'],
  ])('are found in %j', (password, word) => {
    expect(ownWordProblem(password, owner)).toBe(
      `Choose a password without "${word}", which is easy to guess`,
    );
  });

  it.each([
    ['Tal2026!', 'Tal', 'tal'],
    ['!3m2026', '3M', '3m'],
  ])('are found in %j of a company with a short name', (password, companyName, word) => {
    expect(ownWordProblem(password, { ...owner, companyName })).toContain(`"${word}"`);
  });

  it.each(['Channel-seven-7', 'Correct-horse-9', 'Lind-a-tall-oak'])(
    'are not in %j',
    (password) => {
      expect(ownWordProblem(password, owner)).toBeUndefined();
    },
  );
});
