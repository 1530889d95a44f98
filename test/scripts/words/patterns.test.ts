import { describe, expect, test } from 'vitest';
import { hitsIn } from '../../../scripts/words/hits.ts';
import { patterns } from '../../../scripts/words/patterns.ts';

const names = (text: string): readonly string[] => hitsIn('a.md', text).map(({ pattern }) => pattern);

const refused: Readonly<Record<string, readonly string[]>> = {
  'is no NOUN': [
    'It is no answer.',
    'They are no members of the\ncluster.',
    'a text that is no JWT',
    'this was no\nfault',
  ],
  'where for if': [
    'Where it is set, it wins.',
    'the default where they are missing',
    'Nothing where there are none',
  ],
  'stands for exists': [
    'the hold stands',
    'what stood there',
    'Holds that stand are kept.',
    'a standing hold',
  ],
  'alone for only': ['from the CLI alone', 'ECS has it alone.', 'Standard, alone'],
  'a person': ['until a person answers', 'no person is needed'],
  'in place of': ['a tag in place of a file', 'in place\n of a file'],
  'Absent: as a sentence': [
    'Absent: the default.',
    'Its age. Undefined: not read.',
    '- Null: not marked yet',
  ],
  mend: ['mend it', 'It is mended.', 'Mending takes a minute'],
  'says of': ['what EC2 says of it', 'it is said of each'],
  anew: ['read anew'],
  nobody: ['nobody waits', 'somebody’s base', 'Whoever asks', "nobody's"],
  'headless opening': [
    'Those of a group.',
    'It waits. Of two that come at once, one wins.',
    '- By which it is found.',
    'From what age on it is old.',
    'In whose name it is called.',
  ],
  door: ['two doors', 'the wire door'],
  weather: ['bad weather'],
  strike: ['a fault strikes', 'is struck'],
  seat: ['a free seat'],
  petition: ['each petition'],
  prize: ['the prize'],
  'look as a noun': ['the look of each minute', 'One look at the instance', 'two looks'],
  wish: ['an older wish', 'as you wish'],
  news: ['that is no longer news'],
  tell: ['tells the members', 'people are told', 'It tells when it ends.', 'without telling you'],
  beat: ['a beat every minute', 'it beats'],
  'merge marker': ['<<<<<<< HEAD\na\n', 'a\n>>>>>>> branch\n'],
};

const allowed = [
  'There is no Node. If there are no holds, nothing waits. Is there no Node? There may be no Node. There should be no lock.',
  'It is no longer running, and takes no more than a minute. A wait is no longer than an hour; it was no later than today.',
  'It is no matter.',
  '# Where it is kept\n',
  'the directory where it is stored; see where they are; it returns to where it was',
  'A stand-in, a stand-alone program, Standby and standard; the letter stands for a name; it stands in for AWS. Understand it.',
  'standalone; let alone two; pods are left alone; leave the group alone; leaving those of others alone',
  'a place of its own; personal',
  'Absent if not set. Undefined without a hold. absent: the API',
  'amend, amended, recommend',
  'says often; an example of; instead of it; renewed',
  'In this case; by name; Those are held; those of a group; of two',
  'indoors',
  'Instances that look idle. Look it up: a look-up. It looks for pods.',
  'newspaper, newest, renews',
  'We cannot tell whether it was applied. Drover cannot tell which one it is, to tell the two apart, and tells them apart by name.',
  'A heartbeat; heartbeats',
  'Code such as `a door` and `where it\nis` is not prose.',
  '```\na door\n```\n',
  'text <!-- a door --> and [a page](door.md)',
];

test('every pattern has examples', () => {
  expect(Object.keys(refused)).toEqual(patterns.map(({ name }) => name));
});

describe.each(Object.entries(refused))('%s', (name, texts) => {
  test.each(texts)('is refused in: %s', (text) => {
    expect(names(text)).toContain(name);
  });
});

test.each(allowed)('is allowed: %s', (text) => {
  expect(names(text)).toEqual([]);
});

test('a hit has its line, the words around it and what to write', () => {
  expect(hitsIn('docs/a.md', '# Title\n\nIt is fast.\nOf two that come, one wins: read anew\n')).toEqual([
    {
      file: 'docs/a.md',
      line: 4,
      pattern: 'headless opening',
      text: '# Title It is fast. Of two that come, one wins: read anew',
      instead: 'a sentence with a subject and a verb',
    },
    {
      file: 'docs/a.md',
      line: 4,
      pattern: 'anew',
      text: 'fast. Of two that come, one wins: read anew',
      instead: '"again"',
    },
  ]);
});
