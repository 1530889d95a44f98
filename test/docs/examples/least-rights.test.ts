import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const readmeOf = (example: string): string => readFileSync(`examples/${example}/README.md`, 'utf8');

test.each(['kubeadm', 'eks'])(
  'the example %s grants the rights that its deployment needs, and no others',
  (example) => {
    const readme = readmeOf(example);
    expect(readme).not.toContain('rbac.yaml');
    expect(readme).toMatch(/^drover rbac --cluster prod .*\| kubectl apply -f - /m);
  },
);

test('the example kubeadm lets the functions in with a token that expires, and not with a client certificate', () => {
  const readme = readmeOf('kubeadm');
  expect(readme).toMatch(/^drover kubeconfig --cluster prod --yes /m);
  expect(readme).toContain('drover kubeconfig --cluster prod --if-due --yes');
  expect(readme.match(/kubeadm kubeconfig user /g)).toHaveLength(1);
  expect(readme).not.toMatch(/put-parameter --name \/drover\/prod\/kubeconfig/);
});

test('the admission policy of the example kubeadm lets through the groups that its deployment gives to tokens', () => {
  const readme = readmeOf('kubeadm');
  const [, deployed] = / BootstrapGroups=(\S+)/.exec(readme) ?? [];
  const [, granted] = / --bootstrap-groups (\S+)/.exec(readme) ?? [];
  expect(granted).toBe(deployed);
  expect(deployed).toContain('system:bootstrappers:drover:worker');
});
