import { describe, expect, test } from 'vitest';
import { hitsIn } from '../../../scripts/words/hits.ts';

const linesIn = (file: string, code: string): readonly number[] => hitsIn(file, code).map(({ line }) => line);

describe('TypeScript', () => {
  test.each([
    ['a line comment', 'const a = 1; // read anew\n'],
    ['a block comment', '/** Read anew. */\n'],
    ['a string in single quotes', "const a = 'read anew';\n"],
    ['a string in double quotes', 'const a = "read anew";\n'],
    ['a template', 'const a = `read ${count} anew`;\n'],
    ['a string in an expression of a template', "const a = `read ${b ? 'it anew' : ''}`;\n"],
    ['a template in an expression of a template', 'const a = `read ${b.map((c) => `${c} anew`)}`;\n'],
    ['a string after a regular expression with quotes', "const a = /['\"`/]/.test(b) ? 'read anew' : c;\n"],
    ['a string after a division', "const a = b / c + 'read anew' + d / e;\n"],
    ['a string after an escaped quote', String.raw`const a = ['it\'s', 'read anew'];`],
    ['a comment after an address', "const a = 'https://example.com'; // read anew\n"],
    ['a phrase before an expression', 'const a = `${b} is no ${c}`;\n'],
  ])('%s is prose', (_, code) => {
    expect(linesIn('a.ts', code)).toEqual([1]);
  });

  test.each([
    ['a name', 'const anew = door.look(wish);\n'],
    ['a string of one word', "const a = ['anew', 'door'];\n"],
    ['an expression of a template', 'const a = `read ${anew} twice`;\n'],
    ['code in a comment', '// Calls `door()` and `look.wish`.\n'],
    ['a regular expression', 'const a = /read anew/;\n'],
  ])('%s is not prose', (_, code) => {
    expect(linesIn('a.ts', code)).toEqual([]);
  });

  test('a phrase across lines of a comment is found, on its first line', () => {
    expect(
      linesIn('a.ts', '/**\n * A tag in\n * place of a file.\n */\n// A tag in place\n// of a file.\n'),
    ).toEqual([2, 5]);
  });

  test('text of JSX is prose', () => {
    expect(linesIn('a.tsx', 'const a = (\n  <p>\n    read anew\n  </p>\n);\n')).toEqual([3]);
    expect(linesIn('a.tsx', 'const a = (door) => <p title={door}>{door}</p>;\n')).toEqual([]);
  });
});

test('comments and descriptions of YAML and Terraform are prose, values are not', () => {
  expect(linesIn('a.yml', '# read anew\na: door # read\nDescription: read anew\nb: read anew\n')).toEqual([
    1, 3,
  ]);
  expect(linesIn('a.yml', 'Description: >-\n  Read it\n  anew\nName: a\n')).toEqual([3]);
  expect(linesIn('a.tf', 'description = "read anew"\nname = "read anew"\n')).toEqual([1]);
});

test('comments of shell files and style sheets are prose', () => {
  expect(linesIn('a.sh', '#!/bin/sh\n# read anew\ndoor=anew\n')).toEqual([2]);
  expect(linesIn('a.css', '.door { /* read anew */ }\n')).toEqual([1]);
});

test('comments of Go, Java and Python, and of the scripts of examples, are prose', () => {
  expect(linesIn('a.go', '// read anew\nfunc anew() {}\n')).toEqual([1]);
  expect(linesIn('A.java', '/* read anew */\n')).toEqual([1]);
  expect(linesIn('a.py', '# read anew\nanew = 1\n')).toEqual([1]);
  expect(linesIn('examples/drover-iam-token', '#!/bin/sh\n# read anew\n')).toEqual([2]);
});

test('other files have no prose', () => {
  expect(linesIn('a.json', '{ "a": "read anew" }')).toEqual([]);
});
