import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

const manifest = join(import.meta.dirname, '../../packages/cloud-sandbox/package.json');
const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};
const names = Object.keys(dependencies).map((name) => name.replace(/^@types\//, ''));

/** A module of Node's, or of a package that the sandbox depends on. */
export const isNamedBySandbox = (target: string): boolean =>
  isBuiltin(target) || names.some((name) => target === name || target.startsWith(`${name}/`));
