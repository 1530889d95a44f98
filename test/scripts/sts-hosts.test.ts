import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { stsHostsText } from '../../scripts/identity/sts-hosts-text.ts';

it('shared/identity/sts-hosts.ts has the endpoints of the AWS SDK (otherwise run `npm run sts-hosts`)', async () => {
  expect(await readFile('shared/identity/sts-hosts.ts', 'utf8')).toBe(await stsHostsText());
});
