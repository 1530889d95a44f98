import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Beside this file: TypeScript in the sources, JavaScript in the built package. */
const entry = new URL(`./worker-main${extname(import.meta.filename)}`, import.meta.url);

/**
 * What a thread of an execution environment runs: worker-main.ts and all that it imports, as one CommonJS script. A thread
 * that Node gives the TypeScript files to strips the types of each of them in each thread, which is two thirds of what it costs to start.
 *
 * @throws the error of esbuild for a file that cannot be bundled.
 */
export async function bundleWorker(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    platform: 'node',
    target: `node${process.versions.node}`,
    format: 'cjs',
    // A script has none; what a function's bundle requires is looked for from here.
    define: { 'import.meta.url': JSON.stringify(entry.href) },
    write: false,
    logLevel: 'silent',
  });
  return outputFiles.map(({ text }) => text).join('');
}
