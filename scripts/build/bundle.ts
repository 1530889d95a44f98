import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { foldSchemaKeysPlugin } from './fold-schema-keys.ts';
import { lateBuiltinsPlugin } from './late-builtins.ts';
import { buildYaml, yamlFile, yamlLaterPlugin } from './later-yaml.ts';
import { packageVersionsPlugin } from './package-versions.ts';
import { shakingYamlPlugin } from './shaking-yaml.ts';

export interface Bundle {
  readonly functionName: string;
  /** What Lambda loads as `index.handler`. */
  readonly code: Uint8Array;
  /** What the code requires when it comes to it, by the names of the files beside it. */
  readonly later: Readonly<Record<string, Uint8Array>>;
  /** Bytes that each input file has in the bundle, largest first. */
  readonly inputs: readonly { readonly path: string; readonly bytes: number }[];
}

const standIn = (name: string): string => join(import.meta.dirname, 'stand-ins', `${name}.ts`);

/**
 * Bundles one function file to one CommonJS file with everything in it but what is rarely needed and large. CommonJS, because importing `node:http` from an
 * ES module costs some 40 ms of every cold start.
 *
 * @throws what esbuild says of a file that cannot be bundled.
 */
export async function bundleFunction(entry: string): Promise<Bundle> {
  const functionName = basename(entry, '.ts');
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    outfile: join('dist', 'functions', functionName, 'index.cjs'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // Made a `require`: the loader of ES modules would have to be started for it.
    supported: { 'dynamic-import': false },
    mainFields: ['module', 'main'],
    minify: true,
    keepNames: false,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
    alias: {
      '@aws-sdk/credential-provider-node': standIn('no-credential-search'),
      '@smithy/core/event-streams': standIn('no-event-streams'),
    },
    plugins: [
      foldSchemaKeysPlugin,
      packageVersionsPlugin,
      lateBuiltinsPlugin,
      yamlLaterPlugin,
      shakingYamlPlugin,
    ],
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`esbuild made nothing of ${entry}`);
  const isLater = Object.values(metafile.outputs).some(({ imports }) =>
    imports.some(({ path }) => path === `./${yamlFile}`),
  );
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).map(([path, { bytesInOutput }]) => ({ path, bytes: bytesInOutput })),
  );
  return {
    functionName,
    code: output.contents,
    later: isLater ? { [yamlFile]: await buildYaml() } : {},
    inputs: inputs.sort((a, b) => b.bytes - a.bytes),
  };
}
