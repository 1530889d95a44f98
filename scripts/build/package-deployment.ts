import { spawn } from 'node:child_process';
import { type BuiltFunction, buildFunctions } from './functions.ts';

/** osls found the deployment wrong; `output` is what it said. */
export class PackagingError extends Error {
  override readonly name = 'PackagingError';
}

/** Through this Node, because the `serverless` command by itself starts on whichever Node the machine has. */
function runServerless(
  parameters: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  const child = spawn(
    process.execPath,
    ['node_modules/serverless/bin/serverless.js', 'package', ...parameters],
    {
      env: { ...process.env, SLS_TELEMETRY_DISABLED: '1', SLS_NOTIFICATIONS_MODE: 'off' },
    },
  );
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
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
  const { code, output } = await runServerless(parameters);
  if (code !== 0) throw new PackagingError(output.trim());
  return functions;
}
