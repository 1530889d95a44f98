import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readAudit, requestsOf } from '../../../scripts/bench/real/audit.ts';

const entry = (user: object, resource: string) =>
  JSON.stringify({
    verb: 'get',
    requestURI: '/api/v1/x',
    user,
    objectRef: { resource },
    stage: 'ResponseComplete',
    stageTimestamp: '2026-01-02T03:04:05.000000Z',
  });

it('the requests of a user are counted without Events, beside requests that were refused before their user was known', () => {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  const file = join(folder, 'audit.log');
  const drover = { username: 'drover' };
  writeFileSync(file, [entry(drover, 'nodes'), entry(drover, 'events'), entry({}, 'nodes'), ''].join('\n'));
  try {
    expect(requestsOf(readAudit(file, 0), 'drover')).toBe(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
