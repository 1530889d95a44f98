/** `npm run cli-reference`: brings the headings and tables of docs/cli.md up to date with the commands. A test fails if they differ. */
import { readFile, writeFile } from 'node:fs/promises';
import { cliReference } from './cli-reference/page.ts';

await writeFile('docs/cli.md', cliReference(await readFile('docs/cli.md', 'utf8')));
