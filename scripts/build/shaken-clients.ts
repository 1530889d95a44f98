import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { build, type Plugin } from 'esbuild';
import { foldSchemaKeysPlugin } from './fold-schema-keys.ts';
import { packageVersionsPlugin } from './package-versions.ts';

const clientName = /^@aws-sdk\/client-[\w-]+$/;

/** The values that a source imports from a package, without types. */
export function valuesFrom(source: string, packageName: string): readonly string[] {
  const clauses = source.matchAll(new RegExp(`^import \\{([^}]*)\\} from '${packageName}';$`, 'gm'));
  const names = [...clauses].flatMap(([, clause = '']) => clause.split(',').map((name) => name.trim()));
  return names.filter((name) => name !== '' && !name.startsWith('type '));
}

/** Leaves every import but those of one package as it is. */
const onlyOf = (packageName: string): Plugin => ({
  name: 'only-one-package',
  setup(bundling) {
    bundling.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path === packageName ? undefined : { path, external: true },
    );
  },
});

/** A client of the SDK with nothing but these names and what they need, as one module. */
async function shaken(packageName: string, names: readonly string[], resolveDir: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${names.join(', ')} } from '${packageName}';`, resolveDir },
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    write: false,
    logLevel: 'silent',
    plugins: [foldSchemaKeysPlugin, packageVersionsPlugin, onlyOf(packageName)],
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * Bundles of the SDK's clients what Drover uses. esbuild keeps each statement of a module that is reached by an `import()`, so that without
 * this the schemas of all of EC2 are in the CLI.
 */
export const shakenClientsPlugin: Plugin = {
  name: 'shaken-clients',
  setup(bundling) {
    const namespace = 'shaken-clients';
    bundling.onResolve({ filter: clientName }, ({ path, importer, resolveDir }) =>
      /[\\/]node_modules[\\/]/.test(importer) ? undefined : { path, namespace, pluginData: resolveDir },
    );
    bundling.onLoad({ filter: /.*/, namespace }, async ({ path, pluginData }) => {
      const resolveDir = String(pluginData);
      const sources = await Promise.all(
        globSync('{shared,cli}/**/*.ts').map((file) => readFile(file, 'utf8')),
      );
      const names = [...new Set(sources.flatMap((source) => valuesFrom(source, path)))].sort();
      return { contents: await shaken(path, names, resolveDir), loader: 'js', resolveDir };
    });
  },
};
