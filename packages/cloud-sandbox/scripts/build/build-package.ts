import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { manifestOf } from './manifest.ts';

const root = join(import.meta.dirname, '../..');
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));

/**
 * Writes the package as it is published: JavaScript, declarations, and a manifest that leads to them. The sources cannot be
 * published as they are, because Node strips no types below node_modules.
 *
 * @throws Error when the sources do not compile
 */
export function buildPackage(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  const compiler = [
    join(typescript, 'bin/tsc'),
    '-p',
    join(root, 'tsconfig.build.json'),
    '--outDir',
    directory,
  ];
  execFileSync(process.execPath, compiler, { stdio: 'inherit' });
  // What is read at run time besides code.
  cpSync(join(root, 'src'), directory, { recursive: true, filter: (path) => extname(path) !== '.ts' });
  cpSync(join(root, 'README.md'), join(directory, 'README.md'));
  cpSync(join(root, '../../LICENSE'), join(directory, 'LICENSE'));
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifestOf(root), null, 2)}\n`);
}
