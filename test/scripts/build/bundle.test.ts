import { expect, test } from 'vitest';
import { bundleFunction } from '../../../scripts/build/bundle.ts';

const bundle = await bundleFunction('functions/node-leaving.ts');

test('the leaving bundle has at most 140 KB', () => {
  expect(bundle.code.length).toBeLessThanOrEqual(140_000);
});

test('a bundle has the YAML library beside it where it may read a kubeconfig, and not in it', async () => {
  expect(Object.keys(bundle.later)).toEqual(['yaml.cjs']);
  expect(bundle.inputs.filter(({ path }) => path.includes('node_modules/yaml/'))).toEqual([]);
  expect((await bundleFunction('functions/intake.ts')).later).toEqual({});
});

test('a bundle holds neither the whole of zod, nor the AWS SDK, nor the sandbox', () => {
  const paths = bundle.inputs.filter(({ bytes }) => bytes > 0).map(({ path }) => path);
  for (const unwanted of [/zod\/v4\/classic/, /@(aws-sdk|smithy)\//, /^local\//, /^cli\//])
    expect(paths.filter((path) => unwanted.test(path))).toEqual([]);
});
