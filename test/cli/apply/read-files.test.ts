import { describe, expect, it, vi } from 'vitest';
import * as yaml from 'yaml';
import { readFiles } from '../../../cli/apply/read-files.ts';
import { shop } from './support.ts';

vi.mock('yaml', { spy: true });

const mistakesOf = (...texts: readonly string[]): readonly string[] => {
  const reading = readFiles(texts.map((text, index) => ({ name: index === 0 ? 'a.yaml' : 'b.yaml', text })));
  return reading.kind === 'mistakes' ? reading.mistakes : [];
};

const hold = (fields: string): string =>
  `version: 1\nset: shop\nholds:\n  - autoScalingGroupName: workers\n    name: sale\n${fields}`;

const holdsOf = (count: number): string => {
  const lines = Array.from(
    { length: count },
    (_, index) =>
      `  - { autoScalingGroupName: workers, name: h${index}, nodes: 1, until: "2026-01-06T00:00:00Z" }\n`,
  );
  return `version: 1\nset: shop\nholds:\n${lines.join('')}`;
};

describe('the files of drover apply', () => {
  it.each([
    [
      'an unknown field',
      shop.replace('nodes: 3', 'node: 3'),
      [
        'a.yaml:6: holds[0].node: is not a field: did you mean nodes?',
        'a.yaml:4: holds[0]: give either nodes or pods',
      ],
    ],
    [
      'an unknown field of a document',
      `${shop}hold: []\n`,
      ['a.yaml:17: hold: is not a field: did you mean holds?'],
    ],
    [
      'a field that means nothing',
      shop.replace('lead: 600', 'warmup: 600'),
      ['a.yaml:15: schedules[0].warmup: is not a field'],
    ],
    [
      'a duration of a hold',
      hold('    nodes: 3\n    durationSeconds: 60\n'),
      [
        'a.yaml:4: holds[0].until: is missing',
        'a.yaml:7: holds[0].durationSeconds: is not a field of a hold, because it would count from each apply: write until',
      ],
    ],
    [
      'a time without its offset',
      hold('    nodes: 3\n    until: 2026-01-05T20:00:00\n'),
      ['a.yaml:7: holds[0].until: must be a time with its offset, such as 2026-11-24T18:00:00+01:00'],
    ],
    ['no set', 'version: 1\nholds: []\n', ['a.yaml:1: set: is missing']],
    [
      'the name of a set with a slash',
      'version: 1\nset: a/b\nholds: []\n',
      ['a.yaml:2: set: must be letters, digits, dots, dashes and underscores, 63 at most'],
    ],
    ['a later version', 'version: 2\nset: a\nholds: []\n', ['a.yaml:1: version: must be 1, and is "2"']],
    [
      'a list that a template left empty',
      'version: 1\nset: a\nholds:\n',
      ['a.yaml:3: holds: is empty: write [] for an empty list, or leave it out'],
    ],
    [
      'a document that declares nothing',
      'version: 1\nset: a\n',
      ['a.yaml:1: declares nothing: write holds or schedules, and [] for none'],
    ],
    ['an empty file', '', ['a.yaml: has no objects: it is empty']],
    [
      'a lead that is neither',
      shop.replace('lead: 600', 'lead: soon'),
      ['a.yaml:15: schedules[0].lead: must be measured, or seconds from 0 to 3600'],
    ],
    [
      'nodes as text',
      shop.replace('nodes: 3', 'nodes: "3"'),
      ['a.yaml:6: holds[0].nodes: must be a whole number, and is the text "3"'],
    ],
    [
      'a key that is there twice',
      shop.replace('    nodes: 3\n', '    nodes: 3\n    nodes: 4\n'),
      ['a.yaml, document 1: line 7: the key nodes is there twice'],
    ],
    [
      'a template of Helm',
      shop.replace('nodes: 3', 'nodes: {{ .Values.nodes }}'),
      [expect.stringMatching(/^a\.yaml, document 1: .*helm template/)],
    ],
  ])('refuses %s, with its line and field', (_, text, mistakes) => {
    expect(mistakesOf(text)).toEqual(mistakes);
  });

  it('counts lines from the beginning of the file in a later document', () => {
    expect(mistakesOf(`# first\n---\n${shop}---\nversion: 1\nset: b\nholds: [{ naem: x }]\n`)).toContain(
      'a.yaml:22: holds[0].naem: is not a field: did you mean name?',
    );
  });

  it('refuses a record that is declared twice, in any of the files', () => {
    expect(mistakesOf(shop, shop.replace('set: shop', 'set: other'))).toEqual([
      'b.yaml:4: hold sale of workers is declared at a.yaml:4 already',
      'b.yaml:9: schedule office-hours is declared at a.yaml:9 already',
    ]);
    expect(
      mistakesOf(shop, shop.replace('name: sale', 'name: Sale').replace('office-hours', 'Office-hours')),
    ).toEqual([]);
  });

  it('names every mistake of every file at once', () => {
    expect(mistakesOf(shop.replace('nodes: 3', 'nodes: 0'), 'version: 1\nset: a\nholds:\n')).toEqual([
      'a.yaml:6: holds[0].nodes: must be at least 1, and is 0',
      'b.yaml:3: holds: is empty: write [] for an empty list, or leave it out',
    ]);
  });

  it('names 50 mistakes, and how many more there are', () => {
    const holds = Array.from({ length: 60 }, (_, index) => `  - { name: h${index} }\n`).join('');
    const mistakes = mistakesOf(`version: 1\nset: a\nholds:\n${holds}`);
    expect(mistakes).toHaveLength(51);
    expect(mistakes[0]).toMatch(/^a\.yaml:4: /);
    expect(mistakes.at(-1)).toMatch(/^and \d+ more$/);
  });

  it('parses a document once for the lines of all its records', () => {
    const { parseDocument } = yaml;
    vi.mocked(parseDocument).mockClear();
    const reading = readFiles([{ name: 'a.yaml', text: holdsOf(100) }]);
    expect(reading).toMatchObject({ declarations: { records: { length: 100, 99: { at: 'a.yaml:103' } } } });
    expect(vi.mocked(parseDocument).mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('reads JSON of more than 1 MiB with its first line as the place of all', () => {
    const padded = JSON.stringify(yaml.parse(holdsOf(2)), undefined, 2).replace(
      /\n/,
      `\n${' '.repeat(1024 ** 2)}`,
    );
    expect(readFiles([{ name: 'a.json', text: padded }])).toMatchObject({
      declarations: { records: [{ at: 'a.json:1' }, { at: 'a.json:1' }] },
    });
  });

  it('reads JSON with the address of its schema', () => {
    const reading = readFiles([
      {
        name: 'a.json',
        text: '{"$schema": "https://example.com/s.json", "version": 1, "set": "a", "holds": []}',
      },
    ]);
    expect(reading).toMatchObject({ kind: 'declarations', declarations: { records: [] } });
  });
});
