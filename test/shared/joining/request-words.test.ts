import { describe, expect, it } from 'vitest';
import { clientRequest } from '../../../local/world/certificates/requests.ts';
import type { Petition } from '../../../shared/certificates/decide-all.ts';
import type { DecidedRequest } from '../../../shared/certificates/decide-requests.ts';
import { requestWords } from '../../../shared/joining/request-words.ts';

const launchedAt = Date.parse('2026-11-21T07:00:00Z');

const pendingOf = (name: string): DecidedRequest => ({
  request: { ...clientRequest(''), name },
  reading: { kind: 'unreadable', problem: 'it is empty' },
  nodeName: 'ip-10-0-1-17',
  verdict: { kind: 'later', check: 'window', reason: 'the window is over' },
  outcome: 'none',
});

function settledOf(name: string, { type = 'Denied', message = 'another key', after = 60 } = {}): Petition {
  const at = launchedAt + after * 1000;
  const conditions = [{ type, status: 'True', reason: 'Because', message, at }];
  const { request, ...petition } = pendingOf(name);
  return { ...petition, request: { ...request, conditions, createdAt: at } };
}

const words = (decided: readonly DecidedRequest[], settled: readonly Petition[] = []) =>
  requestWords({ kind: 'decided', decided, settled }, launchedAt);

describe('what became of the certificate requests of an instance', () => {
  it('is said of three pending ones at most, with their verdicts', () => {
    const three = ['a', 'b', 'c'].map((name) => `certificate request ${name}: later, the window is over`);
    expect(words(['a', 'b', 'c', 'd'].map(pendingOf))).toBe(three.join('; '));
  });

  it('is said of the newest that was decided, where none is pending', () => {
    expect(
      words([], [settledOf('old'), settledOf('new', { after: 90 }), settledOf('older', { after: 30 })]),
    ).toBe('certificate request new is denied: another key');
    expect(words([], [settledOf('a', { type: 'Approved', message: '' })])).toBe(
      'certificate request a is approved',
    );
    expect(words([pendingOf('b')], [settledOf('a')])).toMatch(/^certificate request b: later/);
  });

  it('is said not to be, where all are from before the launch: those are of an older instance of its name', () => {
    expect(words([], [settledOf('a', { after: -11 })])).toBe('it has made no certificate request');
    expect(words([], [settledOf('a', { after: -10 })])).toBe('certificate request a is denied: another key');
    expect(words([])).toBe('it has made no certificate request');
  });

  it('is said of each where EC2 does not say when the instance was launched', () => {
    const settled = [settledOf('a', { after: -5000 })];
    expect(requestWords({ kind: 'decided', decided: [], settled })).toMatch(/^certificate request a/);
  });

  it('is said not to be known where they could not be decided, and is not said where Drover decides none', () => {
    expect(requestWords({ kind: 'failed', message: 'no answer' })).toBe(
      'its certificate requests could not be decided: no answer',
    );
    expect(requestWords({ kind: 'off' })).toBeUndefined();
  });
});
