import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { type FormatName, formats } from '../../../cli/adopt/as/formats.ts';
import { planAdoption } from '../../../cli/adopt/plan/plan.ts';
import type { Action } from '../../../cli/adopt/plan/step.ts';
import { planText } from '../../../cli/adopt/text.ts';
import { group, kubeadmBindings, observation, wishes } from './observed.ts';

const template = {
  id: 'lt-0123456789abcdef0',
  name: 'workers',
  version: '2',
  number: 2,
  userData: Buffer.from('#!/bin/bash\necho {{ hello }}\n'),
  latest: { number: 2, description: '', userData: Buffer.from('') },
  otherGroups: [],
};
const owned = { 'aws:cloudformation:stack-name': 'nodes', 'aws:cloudformation:logical-id': 'Workers' };
const plan = planAdoption(
  observation({
    groups: [group('workers', owned, { launch: { kind: 'templates', templates: [template] } })],
  }),
  wishes({ userData: '#!/bin/bash\necho it\n', tags: new Map([['drover.dev/drain-timeout', '30m']]) }),
);

const advice = [
  { id: 'zones', group: 'workers', message: 'make one\ngroup: {{ each }}', command: 'page\n#spot' },
];
const textAs = (format: FormatName): string =>
  planText({ plan, advice, clusterName: 'prod' }, formats[format]);

describe('drover adopt --as', () => {
  test.each(Object.keys(formats) as FormatName[])('%s explains every step and names the owner', (format) => {
    const text = textAs(format);
    for (const { subject, risk, reversal } of plan.steps)
      for (const words of [subject, risk, reversal]) expect(text).toContain(words);
    expect(text).toContain('the CloudFormation stack nodes owns this group (resource Workers)');
    expect(text).toMatch(/if Terraform manages this group.*ignore_tags/);
    expect(text).toMatch(/^# ADVICE  workers: make one group/m);
  });

  it('cloudformation prints resources for hooks, and the tags for the resource of the group', () => {
    const { Resources } = parse(textAs('cloudformation')) as { Resources: Record<string, { Type: string }> };
    expect(Resources).toMatchObject({
      WorkersDroverNodeLeaving: {
        Type: 'AWS::AutoScaling::LifecycleHook',
        Properties: {
          AutoScalingGroupName: 'workers',
          LifecycleHookName: 'drover-node-leaving',
          LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
          HeartbeatTimeout: 3600,
          DefaultResult: 'CONTINUE',
        },
      },
      WorkersDroverNodeJoining: { Type: 'AWS::AutoScaling::LifecycleHook' },
    });
    expect(textAs('cloudformation')).toContain('#   key "drover.dev/drain-timeout", value "30m"');
  });

  it('terraform prints resources, in which templates of HCL are escaped', () => {
    const text = textAs('terraform');
    expect(text).toContain('resource "aws_autoscaling_lifecycle_hook" "workers_drover_node_leaving" {');
    expect(text).toContain('resource "kubernetes_manifest" "ClusterRole_drover" {');
    expect(text).not.toMatch(/(?<![$#])\$\{/);
    expect(text.split('\n').filter((line) => !/^(?:#|resource |\} *$| {2}\w+ += |$)/.test(line))).toEqual([]);
  });

  it('ansible prints a play, whose move has the number of the version from the task that makes it', () => {
    const plays = parse(textAs('ansible'), { customTags: [unsafe] }) as readonly Play[];
    expect(plays).toMatchObject([{ hosts: 'localhost' }]);
    const tasks = plays.flatMap((play) => play.tasks);
    expect(tasks.map(({ name }) => name)).toContain('hook drover-node-leaving of workers');
    const named = (name: string) => tasks.find((task) => task.name === name);
    const version = 'VERSION_lt_0123456789abcdef0_2';
    expect(named('a version of lt-0123456789abcdef0')).toMatchObject({
      register: version,
      'ansible.builtin.shell': { cmd: expect.stringContaining('--client-token') },
    });
    expect(named('launches of workers')).toMatchObject({
      environment: { [version]: `{{ ${version}.stdout | default('') }}` },
      'ansible.builtin.shell': { cmd: expect.stringContaining(`lt-0123456789abcdef0:2=$${version}`) },
    });
    expect(tasks.at(-1)).toMatchObject({
      'kubernetes.core.k8s': { state: 'absent', name: kubeadmBindings[1]?.metadata?.name },
    });
  });

  it('ansible marks a command or a name that Jinja would read as a template', () => {
    for (const name of ['{{ mine }}', '{% mine %}', '{# mine'])
      for (const action of [hookOf(name), { kind: 'set-tags', group: name, tags: [] }] satisfies Action[])
        for (const line of formats.ansible.action(action, plan).split('\n'))
          expect(line).toSatisfy((text: string) => !text.includes(name) || text.includes(': !unsafe "'));
    expect(formats.ansible.action(hookOf('workers'), plan)).not.toContain('!unsafe');
  });

  it.each(['terraform', 'cloudformation'] as const)(
    '%s has a resource of its own for each group and role, however alike their names are',
    (format) => {
      const character = fc.constantFrom('a', 'A', 'b', 'B', '1', '2', '-', '_', '.', ' ', 'é');
      const names = fc.uniqueArray(fc.string({ unit: character, minLength: 1, maxLength: 6 }), {
        minLength: 2,
        maxLength: 6,
      });
      const namesIn = (name: string): readonly string[] =>
        [
          ...formats[format]
            .action(hookOf(name), plan)
            .matchAll(format === 'terraform' ? /^resource "\w+" "(.*)" \{$/gm : /^ {2}(\S+):$/gm),
        ].map(([, found = '']) => found);
      fc.assert(
        fc.property(names, (groups) => {
          const found = groups.flatMap(namesIn);
          expect(found).toHaveLength(groups.length);
          expect(new Set(found).size).toBe(groups.length);
          for (const one of found)
            expect(one).toMatch(format === 'terraform' ? /^[A-Za-z_][\w-]*$/ : /^[A-Za-z0-9]+$/);
        }),
        { examples: [[['a-b', 'a_b']], [['a1', 'a-1']], [['aB', 'a-b', 'AB']]] },
      );
    },
  );

  it('prints valid documents if there is nothing to do', () => {
    const nothing = { steps: [], refusals: [], notices: [] };
    expect(parse(planText({ plan: nothing, advice, clusterName: 'prod' }, formats.cloudformation))).toEqual({
      Resources: {},
    });
    expect(parse(planText({ plan: nothing, advice, clusterName: 'prod' }, formats.ansible))).toEqual([]);
  });
});

const hookOf = (name: string): Action => ({
  kind: 'put-hook',
  group: name,
  hook: {
    lifecycleHookName: 'drover-node-leaving',
    transition: 'terminating',
    heartbeatTimeoutSeconds: 3600,
    defaultResult: 'CONTINUE',
  },
});

interface Play {
  readonly tasks: readonly { readonly name: string }[];
}

const unsafe = { tag: '!unsafe', resolve: (text: string) => text };
