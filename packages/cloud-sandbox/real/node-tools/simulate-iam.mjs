/**
 * Runs iam-simulate, which is installed outside the checkout: `node simulate-iam.mjs DIRECTORY`. Each line of input is one of its
 * `Simulation`s, each line of output a result. It is under the AGPL, so it runs in a separate process and is not part of the project.
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [directory = ''] = process.argv.slice(2);
const entry = join(directory, 'node_modules', '@cloud-copilot', 'iam-simulate', 'dist', 'esm', 'index.js');
const { runSimulation } = await import(pathToFileURL(entry).href);

for await (const line of createInterface({ input: process.stdin })) {
  const { resultType, overallResult, errors, result, results } = await runSimulation(JSON.parse(line), {});
  const ignored = (results ?? (result ? [result] : [])).flatMap(
    ({ ignoredContextKeys }) => ignoredContextKeys ?? [],
  );
  process.stdout.write(`${JSON.stringify({ resultType, overallResult, errors, ignored })}\n`);
}
