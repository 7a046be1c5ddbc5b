import { beforeEach, expect, test, vi } from 'vitest';
import { keepUnanswered, loadUnanswered } from './unanswered.ts';

const REQUEST = { input: '{"amount":"20.00"}', key: 'one' };

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
});

test('a request is found again under its name alone, until it is answered', () => {
  keepUnanswered('withdrawal.maya', REQUEST);
  expect(loadUnanswered('withdrawal.maya')).toEqual(REQUEST);
  expect(loadUnanswered('withdrawal.sam')).toBeNull();
  keepUnanswered('withdrawal.maya', null);
  expect(loadUnanswered('withdrawal.maya')).toBeNull();
});

test('a day later it is a new request', () => {
  keepUnanswered('withdrawal.maya', REQUEST);
  expect(loadUnanswered('withdrawal.maya', Date.now() + 86_400_000)).toBeNull();
});

test('an unreadable value is none', () => {
  sessionStorage.setItem('purser.unanswered.withdrawal.maya', '{');
  expect(loadUnanswered('withdrawal.maya')).toBeNull();
});

test('a request is sent also where the browser keeps nothing', () => {
  const refuse = () => {
    throw new DOMException('full or not allowed', 'QuotaExceededError');
  };
  vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
  expect(loadUnanswered('withdrawal.maya')).toBeNull();
  expect(() => keepUnanswered('withdrawal.maya', REQUEST)).not.toThrow();
  expect(() => keepUnanswered('withdrawal.maya', null)).not.toThrow();
});
