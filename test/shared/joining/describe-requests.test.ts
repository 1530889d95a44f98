import { describe, expect, it } from 'vitest';
import { clientRequest } from '../../../local/world/certificates/requests.ts';
import type { ListedRequest } from '../../../shared/certificates/decide.ts';
import type { DecidedRequest } from '../../../shared/certificates/decide-requests.ts';
import { describeRequests } from '../../../shared/joining/describe-requests.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');

const pendingOf = (name: string): DecidedRequest => ({
  request: { ...clientRequest(''), name },
  read: () => ({ kind: 'unreadable', problem: 'it is empty' }),
  nodeName: 'ip-10-0-1-17',
  verdict: { kind: 'later', check: 'window', reason: 'the window is over' },
  outcome: 'none',
});

function settledOf(
  name: string,
  { type = 'Denied', message = 'another key', after = 60 } = {},
): ListedRequest {
  const at = startedAt + after * 1000;
  const conditions = [{ type, status: 'True', reason: 'Because', message, at }];
  const { request, ...listed } = pendingOf(name);
  return { ...listed, request: { ...request, conditions, createdAt: at } };
}

function pendingAfterLaunch(name: string): ListedRequest {
  const { request, ...listed } = pendingOf(name);
  return { ...listed, request: { ...request, createdAt: startedAt + 1000 } };
}

const instanceId = 'i-0123456789abcdef0';
const instance = {
  instanceId,
  privateDnsName: 'ip-10-0-1-17.eu-west-1.compute.internal',
  privateIpAddress: '10.0.1.17',
};

const words = (decided: readonly DecidedRequest[], settled: readonly ListedRequest[] = []) =>
  describeRequests({ kind: 'decided', decided, settled, others: [] }, { ...instance, launchedAt: startedAt });

describe('the description of the certificate requests of an instance', () => {
  it('has at most three pending ones, with their verdicts', () => {
    const three = ['a', 'b', 'c'].map((name) => `certificate request ${name}: later, the window is over`);
    expect(words(['a', 'b', 'c', 'd'].map(pendingOf))).toBe(three.join('; '));
  });

  it('has the newest decided one if none is pending', () => {
    expect(
      words([], [settledOf('old'), settledOf('new', { after: 90 }), settledOf('older', { after: 30 })]),
    ).toBe('certificate request new is denied: another key');
    expect(words([], [settledOf('a', { type: 'Approved', message: '' })])).toBe(
      'certificate request a is approved',
    );
    expect(words([pendingOf('b')], [settledOf('a')])).toMatch(/^certificate request b: later/);
  });

  it('has none if all are from before the launch, because they belong to an older instance of the name', () => {
    expect(words([], [settledOf('a', { after: -11 })])).toBe('it has made no certificate request');
    expect(words([], [settledOf('a', { after: -10 })])).toBe('certificate request a is denied: another key');
    expect(words([])).toBe('it has made no certificate request');
  });

  it('has any of them if EC2 does not report when the instance was launched', () => {
    const settled = [settledOf('a', { after: -5000 })];
    expect(describeRequests({ kind: 'decided', decided: [], settled, others: [] }, instance)).toMatch(
      /^certificate request a/,
    );
  });

  it('shows that they could not be decided, and is undefined if Drover decides none', () => {
    expect(describeRequests({ kind: 'failed', message: 'no answer' }, instance)).toBe(
      'its certificate requests could not be decided: no answer',
    );
    expect(describeRequests({ kind: 'off' }, instance)).toBeUndefined();
  });
});

describe('a request for the host name of the instance under another domain', () => {
  const asked = (nodeName: string, settled = settledOf('odd', { message: 'Drover: no such instance' })) =>
    describeRequests(
      { kind: 'decided', decided: [], settled: [], others: [{ ...settled, nodeName }] },
      { ...instance, launchedAt: startedAt },
    );

  it.each([
    'ip-10-0-1-17.corp.example',
    'IP-10-0-1-17.corp.example',
    'ip-10-0-1-17',
    `${instanceId}.corp.example`,
  ])('is named with its decision: %s', (nodeName) => {
    expect(asked(nodeName)).toBe(
      `it has made no certificate request as ip-10-0-1-17.eu-west-1.compute.internal or ${instanceId}, but one as ${nodeName}: certificate request odd is denied: Drover: no such instance. Its host name does not come from EC2, as in a VPC with a domain name of its own: --node-name instance-id of drover user-data does not depend on it`,
    );
  });

  it('is named while it is pending', () => {
    expect(asked('ip-10-0-1-17.corp.example', pendingAfterLaunch('new'))).toContain(
      'but one as ip-10-0-1-17.corp.example: certificate request new is pending. ',
    );
  });

  it.each([
    'ip-10-0-1-170.corp.example',
    'ip-10-0-1-1',
    'x.ip-10-0-1-17.corp.example',
    'ip-10-0-1-17.corp example',
    `ip-10-0-1-17.${'a'.repeat(64)}.example`,
    'ip-10-0-1-17.<@everyone>',
    'i-0123456789abcdef1.corp.example',
    '',
  ])('is another one, or not quoted: %j', (nodeName) => {
    expect(asked(nodeName)).toBe('it has made no certificate request');
  });

  it('is of an older instance if it is from before the launch', () => {
    expect(asked('ip-10-0-1-17.corp.example', settledOf('odd', { after: -11 }))).toBe(
      'it has made no certificate request',
    );
  });
});
