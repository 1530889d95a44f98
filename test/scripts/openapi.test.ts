import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { openApiDocument, openApiText } from '../../scripts/openapi/document.ts';
import { problems } from '../../shared/scale-api/problem.ts';
import { routes } from '../../shared/scale-api/routes.ts';

const isInPath = (parameter: object) => 'in' in parameter && parameter.in === 'path';

describe('docs/openapi.json', () => {
  it('equals the document of the schemas (otherwise run `npm run openapi`)', async () => {
    expect(await readFile('docs/openapi.json', 'utf8')).toBe(openApiText());
  });

  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(openApiText()));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('has every operation of the router, and no other', () => {
    const documented = Object.entries(openApiDocument().paths ?? {}).flatMap(([path, item]) =>
      Object.keys(item ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.toSorted()).toEqual(
      Object.values(routes)
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted(),
    );
  });

  it('requires each parameter of each path as a text, and describes it', () => {
    const { paths = {} } = openApiDocument();
    for (const [path, item] of Object.entries(paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const expected = names.map((name) => ({
        in: 'path',
        name,
        required: true,
        schema: { type: 'string', description: expect.any(String) },
        description: expect.stringMatching(/^The /),
      }));
      for (const operation of Object.values(item ?? {}))
        expect([operation, (operation.parameters ?? []).filter(isInPath)]).toEqual([operation, expected]);
    }
  });
});

describe('docs/scale-api.md', () => {
  it('lists every problem with its status and a remedy', async () => {
    const text = await readFile('docs/scale-api.md', 'utf8');
    const rows = [...text.matchAll(/^\| `([a-z-]+)` \| (\d+) \|/gm)].map(([, code, status]) => [
      code,
      Number(status),
    ]);
    expect(rows).toEqual(Object.entries(problems).map(([code, { status }]) => [code, status]));
  });
});
