import { spawn } from 'node:child_process';
import { type BuiltFunction, buildFunctions } from './functions.ts';

/** osls found the deployment wrong; `output` is what it said. */
export class PackagingError extends Error {
  override readonly name = 'PackagingError';
}

/**
 * Packages a checkout, or a copy of one. Through this Node, because the `serverless` command by itself starts on whichever Node the
 * machine has.
 *
 * @throws PackagingError with what osls says
 */
export async function runServerless(parameters: readonly string[], directory = '.'): Promise<void> {
  const child = spawn(
    process.execPath,
    ['node_modules/serverless/bin/serverless.js', 'package', ...parameters],
    {
      cwd: directory,
      env: { ...process.env, SLS_TELEMETRY_DISABLED: '1', SLS_NOTIFICATIONS_MODE: 'off' },
    },
  );
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new PackagingError(Buffer.concat(chunks).toString().trim());
}

/**
 * Builds the functions and writes the CloudFormation template to `.serverless`; needs neither network nor credentials.
 * `parameters` go to osls: `--stage prod`, `--param network=private`.
 *
 * @throws PackagingError with what osls says
 */
export async function packageDeployment(
  parameters: readonly string[] = [],
): Promise<readonly BuiltFunction[]> {
  const functions = await buildFunctions();
  await runServerless(parameters);
  return functions;
}
