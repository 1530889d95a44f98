import { expect, test } from 'vitest';
import { bundleFunction } from '../../../scripts/build/bundle.ts';

const bundle = await bundleFunction('functions/node-leaving.ts');
const inputs = bundle.inputs.filter(({ bytes }) => bytes > 0);

test('the leaving bundle has at most 548 KB', () => {
  expect(bundle.code.length).toBeLessThanOrEqual(548_000);
});

test('a bundle of a function that may read a kubeconfig has the YAML library beside it, and not in it', async () => {
  expect(Object.keys(bundle.later)).toEqual(['yaml.cjs']);
  expect(inputs.filter(({ path }) => path.includes('node_modules/yaml/'))).toEqual([]);
  expect((await bundleFunction('functions/intake.ts')).later).toEqual({});
});

test('a bundle holds neither the whole of zod, nor the search for credentials, nor event streams, nor the sandbox', () => {
  const paths = inputs.map(({ path }) => path);
  for (const unwanted of [
    /zod\/v4\/classic/,
    /credential-provider-(?:node|ini|sso|imds)/,
    /core\/dist-es\/submodules\/event-streams/,
    /^(?:local|cli|packages)\//,
  ])
    expect(paths.filter((path) => unwanted.test(path))).toEqual([]);
});

test('a bundle holds of the schemas of EC2 those of the calls that are made', () => {
  const [schemas] = inputs.filter(({ path }) => /client-ec2\/dist-es\/schemas\//.test(path));
  expect(schemas?.bytes).toBeLessThan(40_000);
});
