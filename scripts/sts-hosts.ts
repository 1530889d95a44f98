/**
 * `npm run sts-hosts`: writes shared/identity/sts-hosts.ts from the regions and the endpoint rules of the AWS SDK. A test fails if the
 * two differ.
 */
import { writeFile } from 'node:fs/promises';
import { stsHostsText } from './identity/sts-hosts-text.ts';

await writeFile('shared/identity/sts-hosts.ts', await stsHostsText());
