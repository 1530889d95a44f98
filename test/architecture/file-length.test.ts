import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

const mostLines = 350;

it(`no file of the product has more than ${mostLines} lines`, () => {
  const paths = sourceFiles(
    'functions',
    'shared',
    'cli',
    'ui',
    'local',
    'scripts',
    'packages/cloud-sandbox/src',
  ).map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(500);
  expect(paths.filter((path) => readFileSync(path, 'utf8').split('\n').length - 1 > mostLines)).toEqual([]);
});
