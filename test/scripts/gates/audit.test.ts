import { describe, expect, it } from 'vitest';
import { advisoriesOutcome, signaturesOutcome } from '../../../scripts/gates/audit.ts';

const answer = (report: unknown) => ({ stdout: JSON.stringify(report), stderr: '' });

const refused = {
  message: '405 Method Not Allowed - POST https://registry.example.com/-/npm/v1/security/advisories/bulk',
  method: 'POST',
  statusCode: 405,
  body: '',
  error: { summary: '', detail: '' },
};

describe('the audit of known vulnerabilities', () => {
  const metadata = { vulnerabilities: { total: 0 }, dependencies: { prod: 90, total: 322 } };

  it('passes if the registry knows none, and counts the packages', () => {
    expect(advisoriesOutcome(answer({ auditReportVersion: 2, vulnerabilities: {}, metadata }))).toEqual({
      kind: 'passed',
      text: 'no known vulnerability in 322 packages',
    });
  });

  it('fails with the package, its range, the severity and the advisory', () => {
    const vulnerabilities = {
      yaml: {
        severity: 'moderate',
        range: '<2.2.2',
        via: [{ title: 'Uncaught exception', url: 'https://github.com/advisories/GHSA-f9xv-q969-pqx4' }],
      },
      user: { severity: 'moderate', range: '*', via: ['yaml'] },
    };
    const { kind, text } = advisoriesOutcome(answer({ vulnerabilities, metadata }));
    expect(kind).toBe('failed');
    expect(text).toContain(
      'yaml <2.2.2 (moderate): Uncaught exception https://github.com/advisories/GHSA-f9xv-q969-pqx4',
    );
    expect(text).toContain('user * (moderate): by yaml');
  });

  it('is not made, and reports it, if the registry serves no advisories', () => {
    expect(advisoriesOutcome(answer(refused))).toEqual({
      kind: 'not-audited',
      text: 'not audited: registry answers 405',
    });
  });
});

describe('the audit of signatures', () => {
  it('passes if none is invalid or missing', () => {
    expect(signaturesOutcome(answer({ invalid: [], missing: [] })).kind).toBe('passed');
  });

  it.each(['invalid', 'missing'])('fails with the package of an %s signature', (problem) => {
    const report = { invalid: [], missing: [], [problem]: [{ name: 'zod', version: '4.6.7' }] };
    const { kind, text } = signaturesOutcome(answer(report));
    expect(kind).toBe('failed');
    expect(text).toContain(`zod@4.6.7: ${problem} signature`);
  });

  it('is not made if the registry publishes no keys', () => {
    const summary = 'found no dependencies to audit that were installed from a supported registry';
    expect(signaturesOutcome(answer({ error: { summary } }))).toMatchObject({
      kind: 'not-audited',
      text: 'not audited: registry serves no keys of signatures',
    });
  });
});

describe.each([
  ['vulnerabilities', advisoriesOutcome],
  ['signatures', signaturesOutcome],
])('the audit of %s', (_, outcome) => {
  it.each([
    [
      { error: { code: 'ENOTFOUND', summary: 'request to https://example.com/root.json failed' } },
      'ENOTFOUND',
    ],
    [{ error: { code: 'ECONNREFUSED', summary: 'connect' } }, 'ECONNREFUSED'],
    [{ error: { code: 'E403', summary: '403 Forbidden' } }, 'registry answers 403'],
    [{ ...refused, statusCode: 503 }, 'registry answers 503'],
  ])('is not made without an answer: %j', (report, reason) => {
    const { kind, text } = outcome(answer(report));
    expect(kind).toBe('not-audited');
    expect(text).toContain(`not audited: ${reason}`);
  });

  it.each([
    [{ stdout: '', stderr: 'npm: command not found' }, 'npm: command not found'],
    [{ stdout: 'audited 3 packages', stderr: '' }, 'audited 3 packages'],
    [
      answer({ error: { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.' } }),
      'ENOLOCK',
    ],
    [answer({ vulnerabilities: { a: { severity: 'terrible' } } }), 'npm printed no report'],
    [answer({}), 'npm printed no report'],
    [answer(null), 'npm printed no report'],
  ])('fails if npm did not ask, or its answer is not recognized: %j', (given, reason) => {
    const { kind, text } = outcome(given);
    expect(kind).toBe('failed');
    expect(text).toContain(reason);
  });
});
