/** `npm run audit`: asks the registry for known vulnerabilities of what Drover runs on, and for the signatures of all packages. */
import { execFile } from 'node:child_process';
import { type Answer, advisoriesOutcome, signaturesOutcome } from './gates/audit.ts';

/** npm ends with 1 if it finds something, so its output decides. Without retries, as an unreachable registry costs a minute. */
const npm = (args: readonly string[]): Promise<Answer> =>
  new Promise((resolve) => {
    const options = { maxBuffer: 64 * 1024 * 1024, timeout: 180_000 };
    execFile('npm', [...args, '--json', '--fetch-retries=0'], options, (error, stdout, stderr) =>
      resolve({ stdout, stderr: stderr || (error?.message ?? '') }),
    );
  });

const outcomes = {
  advisories: advisoriesOutcome(await npm(['audit', '--omit=dev'])),
  signatures: signaturesOutcome(await npm(['audit', 'signatures'])),
};
for (const [name, { text }] of Object.entries(outcomes)) process.stdout.write(`${name}: ${text}\n`);
if (Object.values(outcomes).some(({ kind }) => kind === 'failed')) process.exitCode = 1;
