import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { regexpsIn } from '../../scripts/gates/regexps/collect.ts';
import { whySuperLinear } from '../../scripts/gates/regexps/super-linear.ts';

/** The folders whose code reads text that others wrote. */
const files = globSync('{functions,shared,cli,ui,local}/**/*.{ts,tsx}');
const collected = files.map((path) => regexpsIn(path, readFileSync(path, 'utf8')));

/** Files whose `new RegExp` is made of more than constants, and why no sender chooses it. */
const made: Readonly<Record<string, string>> = {
  'shared/scale-api/router.ts': 'the paths of our own routes',
  'cli/queues/find-queues.ts': 'the names of our own queues',
  'local/deployment/release-template.ts':
    'AllowedPattern of our own templates, tried on values of the operator',
};

describe('the regular expressions over outside text', () => {
  it('take time that grows no faster than the text', () => {
    const patterns = collected.flatMap((one) => one.patterns);
    const slow = patterns.flatMap(({ place, source, flags }) => {
      const attack = whySuperLinear(source, flags);
      return attack ? [`${place}: /${source}/${flags} on ${JSON.stringify(attack)}`] : [];
    });
    expect(patterns.length).toBeGreaterThan(300);
    expect(slow).toEqual([]);
  });

  it('are made of constants, or not by senders', () => {
    const places = collected.flatMap((one) => one.unreadable.map(({ place }) => place.replace(/:\d+$/, '')));
    expect([...new Set(places)].sort()).toEqual(Object.keys(made).sort());
  });
});

describe('the check of regular expressions', () => {
  it.each([
    // These were in the source, or in that of others.
    ['the name of a flag that may begin at any dash', /(-[\w-]*?(?:password|token)[= ]+)\S+/gi],
    ['a JWT that may begin at any eyJ', /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g],
    ['the end of a text of slashes', /\/+$/],
    ['one part that two quantifiers may take', /^[0-9a-f:.]*:[0-9a-f:.]*$/],
    ['white space around a part that may be white space', /^(cron|at)\(\s*([^()]*?)\s*\)$/],
    ['a beginning of several characters', /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g],
    ['what is sought ahead of each comma', /,(?![^(]*\))/],
    ['a string that may begin at any of two characters', /[<{][^>]*>/g],
    ['an exponential pattern', /^(?:a+)+$/],
    ['an exponential pattern of alternatives', /^(?:[a-z]|\w)*!$/],
    ['a back reference after two quantifiers', /^(a*)\s*(\1b)*a*$/],
  ])('finds %s', (_, { source, flags }) => {
    expect(whySuperLinear(source, flags)).toBeDefined();
  });

  it.each([
    ['a fixed number of repetitions', /(-[\w-]{0,40}?(?:password|token)[= ]+)\S+/gi],
    ['parts that no character divides in two ways', /^[a-z0-9]+(?:-+[a-z0-9]+)*(?:\.[a-z0-9]+)*$/],
    ['a beginning that follows something else', /(?<!\/)\/+$/],
    ['any text without an end', /a.*/g],
  ])('accepts %s', (_, { source, flags }) => {
    expect(whySuperLinear(source, flags)).toBeUndefined();
  });

  it('reads constants, also imported ones, and says which texts it cannot read', () => {
    const code = `import { instanceIdSource as id } from '../base/instance-id.ts';
      const part = String.raw\`\\d+\`;
      const one = new RegExp(\`^\${id}$\`, 'u');
      const two = RegExp([part, /[a-z]/.source + '!'].join('|'));
      const three = (text: string) => new RegExp(text);
      const four = <p>{/x/.test(a)}</p>;`;
    const { patterns, unreadable } = regexpsIn('shared/nodes/a.tsx', code);
    expect(patterns.map(({ source, flags }) => `/${source}/${flags}`).toSorted()).toEqual([
      '/[a-z]/',
      '/\\d+|[a-z]!/',
      '/^i-(?:[0-9a-f]{8}|[0-9a-f]{17})$/u',
      '/x/',
    ]);
    expect(unreadable).toEqual([{ place: 'shared/nodes/a.tsx:5', code: 'new RegExp(text)' }]);
  });
});
