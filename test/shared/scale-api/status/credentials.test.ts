import { describe, expect, it } from 'vitest';
import { credentialStatuses } from '../../../../shared/scale-api/status/credentials.ts';

const now = Date.parse('2026-11-24T12:00:00Z');
const parameters = [
  { role: 'worker', parameterName: '/drover/worker' },
  { role: 'control-plane', parameterName: '/drover/control-plane' },
] as const;

const statuses = (publishedAt: Parameters<typeof credentialStatuses>[1]) =>
  credentialStatuses({ parameters, rotationSeconds: 7200 }, publishedAt, now);

/** The status of the first role, whose credential was published so many seconds ago. */
const afterSeconds = (seconds: number) =>
  statuses({ kind: 'known', value: new Map([['/drover/worker', now - seconds * 1000]]) })[0];

describe('the credential of a role', () => {
  it('is ok with its age and the time of its publication', () => {
    expect(afterSeconds(90)).toEqual({
      ...parameters[0],
      state: 'ok',
      reason: 'published 90 s ago, and replaced every 7200 s',
      publishedAt: '2026-11-24T11:58:30.000Z',
      ageSeconds: 90,
    });
  });

  it('may be due for the hour between two runs, and is overdue after that', () => {
    expect(afterSeconds(7200 + 3600)?.state).toBe('ok');
    expect(afterSeconds(7200 + 3601)).toMatchObject({
      state: 'attention',
      reason: expect.stringContaining('overdue'),
    });
  });

  it('has an age in whole seconds, and never a negative one from a clock that is ahead', () => {
    expect(afterSeconds(59.9)?.ageSeconds).toBe(59);
    expect(afterSeconds(-5)).toMatchObject({ state: 'ok', ageSeconds: 0 });
  });

  it('needs a person where none is published, each role by itself', () => {
    const [worker, controlPlane] = statuses({ kind: 'known', value: new Map([['/drover/worker', now]]) });
    expect(worker?.state).toBe('ok');
    expect(controlPlane).toEqual({
      ...parameters[1],
      state: 'attention',
      reason: expect.stringContaining('none is published'),
      publishedAt: null,
      ageSeconds: null,
    });
  });

  it('is unknown, with the reason, where the parameters could not be read', () => {
    const unread = { state: 'unknown', reason: 'SSM: denied', publishedAt: null, ageSeconds: null };
    expect(statuses({ kind: 'unknown', reason: 'SSM: denied' })).toEqual(
      parameters.map((parameter) => ({ ...parameter, ...unread })),
    );
  });
});
