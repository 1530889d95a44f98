import { describe, expect, it } from 'vitest';
import { readSample, type SampleName, sampleText } from '../../../events/index.ts';
import { checkAge } from '../../../shared/intake/candidates.ts';
import { readEventText } from '../../../shared/intake/events/read-event.ts';

const sentAt = Date.parse('2026-11-20T09:14:07Z');
const day = 86_400_000;

const warnings = [
  'spot-interruption-terminate',
  'rebalance-recommendation',
  'capacity-reservation-interruption',
  'health-retirement',
] as const;

describe('the age of an event', () => {
  it.each(warnings)('ignores %s if it was more than a day old when it was sent', (name) => {
    expect(checkAge(readSample(name), sentAt + 2 * day)).toMatchObject({
      kind: 'ignored',
      reason: 'it was a day old when it was sent',
    });
  });

  it.each([...warnings, 'terminate-action', 'launch-action', 'state-change-terminated'] as const)(
    'refuses %s if it claims a time after its arrival, and leaves the others as they are',
    (name) => {
      expect(checkAge(readSample(name), sentAt - day)).toMatchObject({ kind: 'malformed' });
      const meaning = readSample(name);
      expect(checkAge(meaning, sentAt + 60_000)).toEqual(meaning);
    },
  );

  it.each(['terminate-action', 'hook-terminate', 'state-change-terminated'] as const)(
    'does not matter for %s, which is checked against Auto Scaling and EC2',
    (name) => {
      const meaning = readSample(name);
      expect(checkAge(meaning, sentAt + 9 * day)).toEqual(meaning);
    },
  );
});

describe('the origin of an event', () => {
  const read = (name: SampleName, place: { readonly accountId: string; readonly region: string }) =>
    readEventText(sampleText(name), place);

  it.each([
    'spot-interruption-terminate',
    'hook-terminate',
    'sns-hook-terminate',
    'health-retirement',
  ] as const)('ignores %s of another account', (name) => {
    expect(read(name, { accountId: '210987654321', region: 'eu-west-1' })).toMatchObject({
      kind: 'ignored',
      reason: 'it is from another account',
    });
  });

  it('ignores an event of another region', () => {
    expect(
      read('spot-interruption-terminate', { accountId: '123456789012', region: 'eu-west-3' }),
    ).toMatchObject({ kind: 'ignored', reason: 'it is from another region' });
  });

  it.each(['account', 'region'])('refuses an event without its %s', (field) => {
    const { [field]: _, ...event } = JSON.parse(sampleText('spot-interruption-terminate')) as Record<
      string,
      unknown
    >;
    const text = JSON.stringify(event);
    expect(readEventText(text, { accountId: '123456789012', region: 'eu-west-1' })).toMatchObject({
      kind: 'malformed',
    });
  });
});
