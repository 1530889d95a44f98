/**
 * `npm run shares -- --turn N [--whole] REPORT...`: prints the shares of the long suites, as `NAME=value` lines for .ci/run. The reports
 * are Vitest's, of suites that ran before: they show how slow the machine is. A report that does not exist is ignored.
 */
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type SuiteReport, secondsOf, sharesOf } from './gates/shares.ts';

const { values, positionals } = parseArgs({
  options: { turn: { type: 'string', default: '0' }, whole: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const reports = positionals
  .filter((file) => existsSync(file))
  .map((file) => JSON.parse(readFileSync(file, 'utf8')) as SuiteReport);
const shares = sharesOf({
  turn: Number(values.turn),
  isWhole: values.whole,
  seconds: secondsOf(reports),
});
for (const [name, value] of Object.entries(shares)) console.log(`${name}=${value}`);
