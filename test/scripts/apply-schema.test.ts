import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readFiles } from '../../cli/apply/read-files.ts';
import { applySchema, applySchemaText } from '../../scripts/openapi/apply-schema.ts';
import { shop } from '../cli/apply/support.ts';

const ajv = new Ajv({ strict: false });
formats.default(ajv);
const validate = ajv.compile(applySchema());

describe('docs/drover.schema.json', () => {
  it('equals the schema of drover apply (otherwise run `npm run openapi`)', async () => {
    expect(await readFile('docs/drover.schema.json', 'utf8')).toBe(applySchemaText());
  });

  it.each([
    ['the declaration', shop],
    ['an unknown field', shop.replace('nodes: 3', 'node: 3')],
    ['neither nodes nor pods', shop.replace('    nodes: 3\n', '')],
    ['no set', shop.replace('set: shop\n', '')],
    ['no lists', 'version: 1\nset: shop\n'],
    ['empty lists', 'version: 1\nset: shop\nholds: []\nschedules: []\n'],
    ['a list without a value', 'version: 1\nset: shop\nholds:\n'],
    ['a time without its offset', shop.replace('+01:00', '')],
    ['a lead that is neither', shop.replace('lead: 600', 'lead: soon')],
    ['a duration of a minute and less', shop.replace('36000', '59')],
    ['a later version', shop.replace('version: 1', 'version: 2')],
    ['a duration of a hold', shop.replace('until: 2026-01-05T20:00:00+01:00', 'durationSeconds: 60')],
  ])('judges %s as drover apply does', (_, text) => {
    const isRead = readFiles([{ name: 'drover.yaml', text }]).kind === 'declarations';
    expect(validate(parse(text))).toBe(isRead);
  });

  it('accepts the file of the documentation', async () => {
    const page = await readFile('docs/declared.md', 'utf8');
    const [, example = ''] = /```yaml\n([^]*?)```/.exec(page) ?? [];
    expect(readFiles([{ name: 'drover.yaml', text: example }])).toMatchObject({
      kind: 'declarations',
      declarations: { records: [{ name: 'black-friday' }, { name: 'office-hours' }] },
    });
    for (const document of parseAllDocuments(example)) expect(validate(document.toJS())).toBe(true);
  });
});
