import { expect, test } from 'vitest';
import { subjectFault } from '../../../scripts/words/subjects.ts';

test.each([
  'capacity: limit the stale-record property to sequential changes',
  'leaving, joining: share the check of a gone instance',
  'ui/server: move the router',
  '.ci: run the words first',
  `docs: ${'x'.repeat(66)}`,
  'Revert "capacity: limit the stale-record property to sequential changes of one group"',
  'Merge branch main',
])('allows %s', (subject) => {
  expect(subjectFault(subject)).toBeUndefined();
});

test.each([
  ['Let the property of holds try older records', 'does not have the form "room: what changes"'],
  ['capacity:', 'does not have the form "room: what changes"'],
  ['Capacity: limit the property', 'does not have the form "room: what changes"'],
  [`docs: ${'x'.repeat(67)}`, 'has 73 characters, more than 72'],
  ['docs: rewrite the page.', 'ends in a period'],
])('refuses %s', (subject, fault) => {
  expect(subjectFault(subject)).toBe(fault);
});
