import { describe, expect, it } from 'vitest';
import { circleIn, roomImportsOf, roomsOfFunctions } from './rooms.ts';
import { sourceFile, sourceFiles } from './source-files.ts';

const files = sourceFiles('functions', 'shared');
const functions = files.filter(({ path }) => path.startsWith('functions/'));

describe('the rooms', () => {
  it('import each other in one direction only, types included', () => {
    expect(circleIn(roomImportsOf(files))).toBeUndefined();
  });

  it('have one for each function, which the function imports', () => {
    const names = functions.map(({ path }) => path.slice('functions/'.length, -'.ts'.length));
    expect(Object.keys(roomsOfFunctions).toSorted()).toEqual(names.toSorted());
    for (const { path, imports } of functions) {
      const room = roomsOfFunctions[path.slice('functions/'.length, -'.ts'.length)];
      expect(
        imports.some((target) => target.startsWith(`shared/${room}/`)),
        path,
      ).toBe(true);
    }
  });

  it('never import a function', () => {
    const importers = files.filter(({ imports }) =>
      imports.some((target) => target.startsWith('functions/')),
    );
    expect(importers.map(({ path }) => path)).toEqual([]);
  });
});

describe('a circle of rooms', () => {
  const circleOf = (...sources: readonly (readonly [path: string, code: string])[]) =>
    circleIn(roomImportsOf(sources.map(([path, code]) => sourceFile(path, code))));

  it('is found through other rooms and through types', () => {
    expect(
      circleOf(
        ['shared/leaving/a.ts', "import { b } from '../nodes/b.ts';"],
        ['shared/nodes/b.ts', "import { c } from '../passes/c.ts';"],
        ['shared/passes/c.ts', "import type { A } from '../leaving/a.ts';"],
      ),
    ).toBe('leaving -> nodes -> passes -> leaving');
  });

  it('is not two rooms that import a third', () => {
    expect(
      circleOf(
        ['shared/leaving/a.ts', "import { c } from '../base/c.ts';\nimport { b } from '../nodes/b.ts';"],
        ['shared/nodes/b.ts', "import { c } from '../base/c.ts';"],
      ),
    ).toBeUndefined();
  });
});
