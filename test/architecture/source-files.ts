import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  /** Without comments. */
  readonly code: string;
  /** Packages by name, own files by their path. */
  readonly imports: readonly string[];
}

/** Every TypeScript file below the folders, without the packages of the site's generator, which `npm run site` installs. */
export function sourceFiles(...folders: readonly string[]): readonly SourceFile[] {
  return folders
    .flatMap((folder) =>
      globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: (name) => name.includes('node_modules') }),
    )
    .map((path) => sourceFile(path, readFileSync(join(root, path), 'utf8')));
}

export function sourceFile(path: string, source: string): SourceFile {
  const code = withoutComments(source);
  const specifiers = code.matchAll(
    /\b(?:from\s+|import\s+|(?:import|require)\s*\(\s*)['"]([\w@./:#-]+)['"]/g,
  );
  return { path, code, imports: [...specifiers].map((match) => resolved(path, match[1] ?? '')) };
}

const resolved = (from: string, specifier: string): string =>
  specifier.startsWith('.') ? relative(root, normalize(join(root, dirname(from), specifier))) : specifier;

const withoutComments = (code: string): string =>
  code.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
