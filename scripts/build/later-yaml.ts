import { build, type Metafile, type Plugin } from 'esbuild';
import { shakingYamlPlugin } from './shaking-yaml.ts';

/** The file beside a bundle that holds the YAML library. */
export const yamlFile = 'yaml.cjs';

/** Leaves `await import('yaml')` to that file: 98 KB that Node would read at every start of a function. */
export const yamlLaterPlugin: Plugin = {
  name: 'yaml-later',
  setup(build) {
    build.onResolve({ filter: /^yaml$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: `./${yamlFile}`, external: true } : undefined,
    );
  },
};

export interface YamlFile {
  readonly code: Uint8Array;
  /** What esbuild reports about it. */
  readonly outputs: Metafile['outputs'];
}

/** What of the library is imported so, as CommonJS. */
export async function buildYaml(): Promise<YamlFile> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: "export { parse, YAMLParseError } from 'yaml';", resolveDir: import.meta.dirname },
    outfile: yamlFile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minify: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
    plugins: [shakingYamlPlugin],
  });
  const [output] = outputFiles;
  if (!output) throw new Error('esbuild made nothing of yaml');
  return { code: output.contents, outputs: metafile.outputs };
}
