import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { createDroverWorld } from '../../../local/world/drover-world.ts';
import { operatorOf } from '../operator.ts';

const namesIn = (yaml: string): readonly string[] =>
  parseAllDocuments(yaml).map(
    (document) => (document.toJS() as { metadata: { name: string } }).metadata.name,
  );

it('drover rbac prints deploy/rbac.yaml', async () => {
  const { code, out } = await operatorOf(createDroverWorld())('rbac');
  expect({ code, out }).toEqual({ code: 0, out: readFileSync('deploy/rbac.yaml', 'utf8') });
});

it('drover rbac leaves out the named parts, and nothing else', async () => {
  const run = operatorOf(createDroverWorld());
  const all = namesIn((await run('rbac')).out);
  const { out } = await run('rbac --without certificates bootstrap');
  const optional = ['drover-certificates', 'drover-bootstrap-tokens', 'drover-node-bootstrapper'];
  expect(namesIn(out)).toEqual(all.filter((name) => !optional.includes(name)));
});

it('drover rbac leaves out the making of tokens alone, for instances that ask with their own', async () => {
  const run = operatorOf(createDroverWorld());
  const all = namesIn((await run('rbac')).out);
  expect(namesIn((await run('rbac --without bootstrap-tokens')).out)).toEqual(
    all.filter((name) => name !== 'drover-bootstrap-tokens'),
  );
});

it('drover rbac refuses a part that does not exist', async () => {
  expect(await operatorOf(createDroverWorld())('rbac --without nodes')).toMatchObject({ code: 2 });
});
