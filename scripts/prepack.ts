/** Before `npm pack`: the bundle of the CLI, the page of `drover ui`, the licenses of what is in it, and the manifest that is published. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pageOutputs, pageParts } from '../ui/server/page-parts.ts';
import { bundleCli } from './build/cli.ts';
import { pageFolder } from './build/cli-files.ts';
import { packageFoldersIn } from './build/package-folders.ts';
import { licensesText } from './pack/licenses.ts';
import { packedCli, restoreManifest, swapManifest } from './pack/manifest.ts';

// An interrupted pack leaves the published manifest in place, and the bundle reads the version from it.
await restoreManifest();
const { files, packageFolders } = await bundleCli();
const folder = dirname(packedCli);
await mkdir(join(folder, pageFolder), { recursive: true });
for (const [name, content] of Object.entries(pageParts()))
  await writeFile(join(folder, pageFolder, name), content);
for (const [name, code] of files) await writeFile(join(folder, name), code, { mode: 0o755 });
await writeFile(
  join(folder, 'third-party-licenses.txt'),
  await licensesText([...packageFolders, ...packageFoldersIn(pageOutputs())]),
);
await swapManifest();
