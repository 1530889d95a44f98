import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { printListing } from '../../../cli/listing/print.ts';
import { yamlText } from '../../../cli/listing/yaml.ts';
import { outputTo } from '../../../cli/output.ts';
import { withoutControls } from '../../../cli/plain-text.ts';
import { named } from '../../../cli/table/column.ts';
import { tableText } from '../../../cli/table/table.ts';
import { createScaleCli } from '../scale-api-door.ts';

const names = ['a-rather-long-name-of-a-group', 'workers'];
const listing = {
  data: names.map((name) => ({ name })),
  names,
  text: (view: { readonly columns?: number }) =>
    tableText(
      [named('NAME'), 'SIZE'],
      names.map((name) => [name, '3']),
      view,
    ),
};

async function printed(flags: Parameters<typeof printListing>[1], columns?: number): Promise<string> {
  let all = '';
  const stdout = outputTo({ isTerminal: true, columns, write: (text) => void (all += text) });
  await printListing(listing, flags, { stdout });
  return all;
}

describe('a list', () => {
  it('fits the terminal, and is whole in a pipe and with -o wide', async () => {
    const whole =
      'NAME                            SIZE\na-rather-long-name-of-a-group   3\nworkers                         3\n';
    expect(await printed({}, 24)).toBe(
      'NAME                SIZE\na-rather…-a-group   3\nworkers             3\n',
    );
    expect(await printed({}, undefined)).toBe(whole);
    expect(await printed({ output: 'wide' }, 24)).toBe(whole);
  });

  it('is JSON with -o json and --json, YAML with -o yaml, and a line for each name with -o name', async () => {
    const json = await printed({ output: 'json' }, 24);
    expect(JSON.parse(json)).toEqual(listing.data);
    expect(await printed({ json: true }, 24)).toBe(json);
    expect(parse(await printed({ output: 'yaml' }, 24))).toEqual(listing.data);
    expect(await printed({ output: 'name' }, 24)).toBe('a-rather-long-name-of-a-group\nworkers\n');
  });
});

describe('yamlText', () => {
  it('reads back as the same data for any text, and has no control of a terminal', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\u001b[31mred',
        'a\u202eb',
        'x\u009b2J',
        'yes',
        '012',
        'a: b',
        '- a',
        'line\nline\n',
        'a\rb',
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ text, list: fc.array(text) })), (data) => {
        const expected: unknown = JSON.parse(JSON.stringify(data));
        const yaml = yamlText(data);
        expect(parse(yaml)).toEqual(expected);
        expect(withoutControls(yaml)).toBe(yaml);
      }),
    );
  });

  it('escapes controls', () => {
    expect(yamlText({ name: 'a\u001b[2Jb\u009b2J\u202ec\u0007' })).toBe(
      'name: "a\\e[2Jb\\u009b2J\\u202ec\\a"\n',
    );
  });

  it('writes no field that is undefined, and no alias for what occurs twice', () => {
    const node = { name: 'a' };
    expect(yamlText([node, node, { name: undefined }])).toBe('- name: a\n- name: a\n- {}\n');
  });
});

describe('drover groups', () => {
  it.each([
    ['-o wide --json', 2],
    ['-o table', 2],
    ['-o name', 0],
  ])('with %s exits with %i', async (flags, exitCode) => {
    expect((await createScaleCli().drover(`groups ${flags}`)).exitCode).toBe(exitCode);
  });
});
