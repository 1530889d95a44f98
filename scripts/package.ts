/** `npm run package`: builds the functions and writes the CloudFormation template; needs neither network nor credentials. */
import { spawnSync } from 'node:child_process';
import { buildFunctions } from './build/functions.ts';
import { sizeTable } from './build/size-table.ts';

process.stdout.write(`${sizeTable(await buildFunctions())}\n`);

// Through this Node, because the `serverless` command by itself starts on whichever Node the machine has.
const { status, error } = spawnSync(
  process.execPath,
  ['node_modules/serverless/bin/serverless.js', 'package', ...process.argv.slice(2)],
  { stdio: 'inherit', env: { ...process.env, SLS_TELEMETRY_DISABLED: '1', SLS_NOTIFICATIONS_MODE: 'off' } },
);
if (error) throw error;
process.exitCode = status ?? 1;
