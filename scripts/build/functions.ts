import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { archive } from './archive.ts';
import { type Bundle, bundleFunctions } from './bundle.ts';

export interface BuiltFunction {
  readonly functionName: string;
  readonly bundleBytes: number;
  readonly zipBytes: number;
  readonly inputs: Bundle['inputs'];
  readonly packageFolders: Bundle['packageFolders'];
}

const outputDirectory = join('dist', 'functions');

async function write({ functionName, code, later, ...said }: Bundle): Promise<BuiltFunction> {
  const files = { 'index.cjs': code, ...later };
  const zip = archive(files);
  await mkdir(join(outputDirectory, functionName), { recursive: true });
  for (const [name, content] of Object.entries(files))
    await writeFile(join(outputDirectory, functionName, name), content);
  await writeFile(join(outputDirectory, `${functionName}.zip`), zip);
  return { functionName, bundleBytes: code.length, zipBytes: zip.length, ...said };
}

/** Builds every file of `functions/` to `dist/functions/NAME/index.cjs`, with what is beside it, and `dist/functions/NAME.zip`. */
export async function buildFunctions(): Promise<readonly BuiltFunction[]> {
  const files = (await readdir('functions')).filter((file) => file.endsWith('.ts')).sort();
  const bundles = await bundleFunctions(files.map((file) => join('functions', file)));
  return Promise.all(bundles.map(write));
}
