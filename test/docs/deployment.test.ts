import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createSsmFixture } from '@drover/cloud-sandbox/test/aws/support/parameter-fixture.ts';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const text = readFileSync('docs/deployment.md', 'utf8');

/** The kubeconfig of a user with a client certificate, as kubeadm makes it. */
const kubeconfigBytes = 5400;

test('the parameter of the quick start holds a kubeconfig with a client certificate', async () => {
  const { put } = createSsmFixture();
  const [, line = ''] = /^aws ssm put-parameter (.*)$/m.exec(text) ?? [];
  const { values } = parseArgs({
    args: line.split(' '),
    options: {
      name: { type: 'string' },
      type: { type: 'string' },
      tier: { type: 'string' },
      value: { type: 'string' },
    },
  });
  expect(values).toMatchObject({ type: 'SecureString', value: 'file://drover.kubeconfig' });
  const { name = '', tier, type } = values;
  await put(name, 'x'.repeat(kubeconfigBytes), {
    Type: type as 'SecureString',
    Tier: tier as 'Standard' | undefined,
  });
});

/** The rows of the tables whose columns are the name and the default: the cells of both. */
const parameterRows = ['docs/deployment.md', 'docs/etcd.md', 'docs/networking.md'].flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/^\| name \| default \|.*\n((?:\|.*\n)+)/gm)].flatMap(
    ([, table = '']) =>
      table.split('\n').map((line) => line.split('|').map((cell) => cell.replaceAll('`', '').trim())),
  ),
);

test('the tables name every parameter of deploy/stages/default.yml with its default', () => {
  const defaults = parse(readFileSync('deploy/stages/default.yml', 'utf8')) as Readonly<
    Record<string, string | number | null>
  >;
  const wrong = Object.entries(defaults).filter(([name, value]) => {
    const cells = parameterRows.find(([, names = '']) => names.split(', ').includes(name));
    return !cells?.[2]?.includes(String(value ?? ''));
  });
  expect(wrong).toEqual([]);
});
