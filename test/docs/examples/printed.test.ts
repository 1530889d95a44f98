import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createDroverWorld } from '../../../local/world/drover-world.ts';
import { operatorOf } from '../../cli/operator.ts';
import { exampleResources } from './example-template.ts';
import { makeExample } from './make-example.ts';

const authority = readFileSync('local/world/tls/certificate.pem').toString('base64');

/** The commands of the part for CloudFormation, each with what the README says that it prints. */
const commandsOf = (example: string) =>
  (readFileSync(`examples/${example}/README.md`, 'utf8').split('## With Terraform')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('drover '))
    .map((line) => {
      const [printed = '', said = ''] = line.split(/ +# /);
      // What another program does with it is not ours.
      const [command = ''] = printed.split(' | ');
      return { command: command.replace(/^drover /, ''), said: said.replace(/ ?\.\.\.$/, '') };
    });

/** The command as a shell would expand it, without the check of parameters that only other commands publish. */
const typed = (command: string): string =>
  command
    .replace(/"\$\([^)]*\)"/, 'https://ABC.gr7.eu-west-1.eks.amazonaws.com')
    .replace('ca.crt', authority)
    .replace(/^(user-data (?:kubeadm|openshift-3\.11) .*)$/, '$1 --no-check');

/** `drover` in a sandbox with the launch templates and groups of an example. */
function operatorAt(template: string) {
  const world = createDroverWorld();
  makeExample(world, exampleResources(template, { ClusterName: 'prod' }));
  return operatorOf(world, { environment: { DROVER_CLUSTER: undefined } });
}

const templates = {
  kubeadm: 'kubeadm/cloudformation/cluster.yml',
  eks: 'eks/cloudformation/cluster.yml',
  'openshift-3.11': 'openshift-3.11/cloudformation/groups.yml',
} as const;

const changesAws = / --new-version-of |^hooks install /;

describe('a README says what the sandbox prints, command after command', () => {
  test.each(Object.entries(templates))('%s', async (example, template) => {
    const run = operatorAt(template);
    const commands = commandsOf(example).filter(({ command }) => changesAws.test(command));
    expect(commands.length).toBeGreaterThan(0);
    for (const { command, said } of commands) {
      const { code, out, err } = await run(typed(command));
      expect(code, `${command}\n${err}`).toBe(0);
      expect(out).toContain(said);
    }
  });
});

test('the versions that the stack launches are those that the commands created', () => {
  for (const [example, template] of Object.entries(templates)) {
    const text = readFileSync(`examples/${example}/README.md`, 'utf8');
    const named = [...text.matchAll(/(\w+)Version=(\d)/g)].filter(([, group]) => group !== 'Etcd');
    const made = [...text.matchAll(/--new-version-of prod-([\w-]+) +# made version (\d)/g)];
    expect(named.map(([, group = '', version]) => `${group.toLowerCase()} ${version}`).toSorted()).toEqual(
      made.map(([, group = '', version]) => `${group.replaceAll('-', '')} ${version}`).toSorted(),
    );
    const parameters = readFileSync(`examples/${template}`, 'utf8');
    for (const [, group] of named) expect(parameters).toContain(`${group}Version:`);
  }
});

describe('no command of a README is a wrong command line', () => {
  test.each(Object.entries(templates))('%s', async (example, template) => {
    const run = operatorAt(template);
    for (const { command } of commandsOf(example).filter(({ command }) => !command.startsWith('pki'))) {
      const { code, err } = await run(typed(command.replace(/ > \S+$/, '')));
      expect(code, `${command}\n${err}`).not.toBe(2);
    }
  });
});
