import { basename, dirname, join, resolve } from 'node:path';
import { build, type Metafile, type OutputFile } from 'esbuild';
import { foldSchemaKeysPlugin } from './fold-schema-keys.ts';
import { lateBuiltinsPlugin } from './late-builtins.ts';
import { buildYaml, type YamlFile, yamlFile, yamlLaterPlugin } from './later-yaml.ts';
import { packageFoldersIn } from './package-folders.ts';
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
  /** The folders in node_modules of the packages whose code is in the bundle or beside it. */
  readonly packageFolders: readonly string[];
}

const standIn = (name: string): string => join(import.meta.dirname, 'stand-ins', `${name}.ts`);

/** @throws what esbuild reports about a file that cannot be bundled */
export async function bundleFunction(entry: string): Promise<Bundle> {
  const [bundle] = await bundleFunctions([entry]);
  if (!bundle) throw new Error(`esbuild made nothing of ${entry}`);
  return bundle;
}

/**
 * Bundles each function file to one CommonJS file with everything in it but what is rarely needed and large. CommonJS, because importing `node:http` from an
 * ES module costs some 40 ms of every cold start. In one build, which reads the SDK once: a build for each function gives the same bytes for three
 * times the CPU.
 *
 * @throws what esbuild reports about a file that cannot be bundled
 */
export async function bundleFunctions(entries: readonly string[]): Promise<readonly Bundle[]> {
  const { outputFiles, metafile } = await build({
    entryPoints: [...entries],
    outdir: 'dist/functions',
    entryNames: '[name]/index',
    outExtension: { '.js': '.cjs' },
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
  const outputs = Object.entries(metafile.outputs);
  const isLater = outputs.some(([, { imports }]) => imports.some(isYaml));
  const yaml = isLater ? await buildYaml() : undefined;
  return outputs.map(([path, output]) => ({
    ...withLater(path, output, output.imports.some(isYaml) ? yaml : undefined),
    code: contentOf(outputFiles, path),
  }));
}

/** What the metafile reports about a bundle, with what lies beside it. */
function withLater(
  path: string,
  output: Metafile['outputs'][string],
  yaml: YamlFile | undefined,
): Omit<Bundle, 'code'> {
  return {
    functionName: basename(dirname(path)),
    later: yaml ? { [yamlFile]: yaml.code } : {},
    packageFolders: packageFoldersIn({ ...yaml?.outputs, [path]: output }),
    inputs: Object.entries(output.inputs)
      .map(([input, { bytesInOutput }]) => ({ path: input, bytes: bytesInOutput }))
      .sort((a, b) => b.bytes - a.bytes),
  };
}

const isYaml = ({ path }: { readonly path: string }): boolean => path === `./${yamlFile}`;

function contentOf(files: readonly OutputFile[], path: string): Uint8Array {
  const file = files.find((one) => one.path === resolve(path));
  if (!file) throw new Error(`esbuild made nothing of ${path}`);
  return file.contents;
}
