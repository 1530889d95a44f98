import { expect, test } from 'vitest';
import { sweepCommand } from '../../../scripts/account/sweep-command.ts';

test('the command asks the account that the run was in', () => {
  const place = { run: 'abcd1234', region: 'eu-west-1', profile: 'sandbox', endpoint: undefined, speed: 1 };
  expect(sweepCommand(place, { isSure: true })).toBe(
    'npm run account -- --sweep --run abcd1234 --region eu-west-1 --profile sandbox --yes',
  );
  expect(sweepCommand({ region: 'eu-west-1' }, { isSure: false })).toBe(
    'npm run account -- --sweep --region eu-west-1',
  );
});

test('a profile with other letters is one word of a shell', () => {
  expect(sweepCommand({ region: 'eu-west-1', profile: "Ann's box" }, { isSure: false })).toContain(
    String.raw`--profile 'Ann'\''s box'`,
  );
});
