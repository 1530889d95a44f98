import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type OutputFile, type Plugin } from 'esbuild';
import { uncommented } from '../../cli/user-data/nodes/boot-script.ts';
import { pageFolder, programFile, startFile } from './cli-files.ts';
import { packageFoldersIn } from './package-folders.ts';
import { packageVersionsPlugin } from './package-versions.ts';
import { shakenClientsPlugin } from './shaken-clients.ts';

export interface CliBundle {
  /** By their names: the file that `drover` runs, and the program that it loads. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The folders in node_modules of the packages whose code is in the bundle. */
  readonly packageFolders: readonly string[];
}

/** The modules that read a file beside them, or of `deploy`: the module, its export, and the file from there. */
const textModules = [
  { filter: /[/\\]member-template\.ts$/, name: 'memberTemplate', file: 'member.sh' },
  { filter: /[/\\]rbac-manifests\.ts$/, name: 'rbacManifests', file: '../../deploy/rbac.yaml' },
  {
    filter: /[/\\]admission-manifests\.ts$/,
    name: 'admissionManifests',
    file: '../../deploy/admission.yaml',
  },
] as const;

const bootScriptsModule = /[/\\]boot-scripts\.ts$/;

/** The texts of a folder by their names without `.sh`, and without their comments, which user data does not contain either. */
async function textsOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sh'));
  const texts = files.map(async (file) => [
    basename(file, '.sh'),
    uncommented(await readFile(join(folder, file), 'utf8')),
  ]);
  return Object.fromEntries(await Promise.all(texts));
}

/** An expression with a value that only few commands read: compressed, because Node reads all of the bundle at every start. */
const packed = (value: unknown): string =>
  `JSON.parse(gunzipSync(Buffer.from('${gzipSync(JSON.stringify(value), { level: 9 }).toString('base64')}', 'base64')).toString())`;

const unpacking = "import { gunzipSync } from 'node:zlib';\n";

const pageModule = `
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
const read = (name) => {
  try {
    return readFileSync(join(__dirname, ${JSON.stringify(pageFolder)}, name));
  } catch (cause) {
    throw new Error('the files of the page are missing beside ' + __filename + ': install the whole package of drover', { cause });
  }
};
export const pageParts = () =>
  Object.fromEntries(['index.html', 'clusters.html', 'logo.svg', 'main.js', 'style.css'].map((name) => [name, read(name)]));`;

/** Replaces each of them by a module that holds the text of its file. */
const textsPlugin: Plugin = {
  name: 'texts',
  setup(bundling) {
    for (const { filter, name, file } of textModules)
      bundling.onLoad({ filter }, async ({ path }) => {
        const source = await readFile(join(path, '..', file), 'utf8');
        const text = file.endsWith('.sh') ? uncommented(source) : source;
        return { contents: `${unpacking}export const ${name} = async () => ${packed(text)};`, loader: 'js' };
      });
    bundling.onLoad({ filter: /[/\\]page-parts\.ts$/ }, () => ({ contents: pageModule, loader: 'js' }));
    bundling.onLoad({ filter: bootScriptsModule }, async ({ path }) => {
      const resolveDir = join(path, '..');
      const texts = packed(await textsOf(join(resolveDir, 'boot')));
      // The script of etcd members is in the bundle once.
      const contents = `${unpacking}import { memberTemplate } from '../etcd/member-template.ts';
        export const bootScripts = async () => ({ ...${texts}, member: await memberTemplate() });`;
      return { contents, loader: 'js', resolveDir };
    });
  },
};

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minify: true,
  legalComments: 'none',
  write: false,
  logLevel: 'silent',
} satisfies BuildOptions;

/**
 * A file that enables the cache is not in it, only files that are loaded later: so the program is another file. It is beside the real path of this one,
 * which `--preserve-symlinks-main` would hide.
 */
const startCode = `#!/usr/bin/env node
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keepCompiled } from './compile-cache.ts';
keepCompiled(process.env);
require(join(dirname(realpathSync(__filename)), '${programFile}'));`;

/**
 * Bundles the CLI with its dependencies for Node 20 and later. Modules behind an `import()` run when a command needs them. The format is
 * CommonJS, so that Node's own modules are loaded only then, too.
 *
 * @throws the error of esbuild if a file cannot be bundled.
 */
export async function bundleCli(): Promise<CliBundle> {
  const start = await build({
    ...common,
    stdin: { contents: startCode, resolveDir: 'cli', loader: 'ts' },
  });
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: ['cli/drover.ts'],
    mainFields: ['module', 'main'],
    // Node 20.0 to 20.15 lack it.
    define: { 'process.getBuiltinModule': 'require' },
    metafile: true,
    // No call of Drover has an event stream: see the stand-in.
    alias: { '@smithy/core/event-streams': join(import.meta.dirname, 'stand-ins', 'no-event-streams.ts') },
    plugins: [textsPlugin, packageVersionsPlugin, shakenClientsPlugin],
  });
  const files = new Map([
    [startFile, onlyOutput(start)],
    [programFile, onlyOutput({ outputFiles })],
  ]);
  return { files, packageFolders: packageFoldersIn(metafile.outputs) };
}

function onlyOutput({ outputFiles: [output] }: { readonly outputFiles: readonly OutputFile[] }): Uint8Array {
  if (!output) throw new Error('esbuild made nothing of the CLI');
  return output.contents;
}
