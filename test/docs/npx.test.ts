import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const files = execFileSync('git', ['ls-files', '*.md', '*.ts', '*.tsx', '*.yml', '*.sh'], {
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => !file.startsWith('test/docs/npx') && file !== 'docs/development/commands.md');

/** npx fetches what a clone lacks, and without `--` it takes the flags behind the name for its own. */
const fetching = (text: string): readonly string[] => text.match(/\bnpx (?!--no -- )[\w@-]+ ?\w*/g) ?? [];

test('no text calls npx in a form that can fetch a package or lose a flag', () => {
  const found = files.flatMap((file) =>
    fetching(readFileSync(file, 'utf8')).map((line) => `${file}: ${line}`),
  );
  expect(found.filter((line) => /drover|serverless|cloud-sandbox/.test(line.split(': ')[1] ?? ''))).toEqual(
    [],
  );
});

test('a call that can fetch is found', () => {
  expect(fetching('npx drover status')).toEqual(['npx drover status']);
  expect(fetching('npx --no drover drain')).toEqual(['npx --no drover']);
  expect(fetching('npx --no -- drover drain')).toEqual([]);
});

test('the sandbox is a folder of the project, which npm never looks for in a registry', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  expect(dependencies['@drover/cloud-sandbox']).toBe('file:packages/cloud-sandbox');
});
