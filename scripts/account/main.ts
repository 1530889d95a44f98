/** `npm run account`: the contract suites with an AWS account as one more world. */
import { help, readCommandLine } from './options.ts';
import { planRun, renderPlan } from './plan.ts';

const { stdout, stderr } = process;
const commandLine = readCommandLine(process.argv.slice(2));

if (commandLine.kind === 'help') stdout.write(help);
else if (commandLine.kind === 'wrong') {
  stderr.write(`${commandLine.message}\n(npm run account -- --help explains)\n`);
  process.exitCode = 2;
} else {
  const plan = planRun(commandLine);
  stdout.write(commandLine.json ? `${JSON.stringify(plan, undefined, 2)}\n` : renderPlan(plan));
  if (plan.isRefused) process.exitCode = 1;
}
